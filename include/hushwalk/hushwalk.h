// Everything, for those who like one include.
#pragma once

#include "hushwalk/accounting.h"
#include "hushwalk/certificate.h"
#include "hushwalk/diffusion.h"
#include "hushwalk/error.h"
#include "hushwalk/evaluation.h"
#include "hushwalk/generate.h"
#include "hushwalk/graph.h"
#include "hushwalk/import.h"
#include "hushwalk/mechanism.h"
#include "hushwalk/output_file.h"
#include "hushwalk/progress.h"
#include "hushwalk/ranking.h"
#include "hushwalk/statistics.h"
#include "hushwalk/step.h"
#include "hushwalk/threads.h"
#include "hushwalk/version.h"
