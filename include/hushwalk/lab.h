// The lab: how good answers are, attacks on our own promise, reports, the paper's figures. A library of its
// own, hushwalk_lab.
#pragma once

#include "hushwalk/audit.h"
#include "hushwalk/certificate_page.h"
#include "hushwalk/evaluation.h"
#include "hushwalk/evaluation_codec.h"
#include "hushwalk/report.h"
#include "hushwalk/reproduction.h"
