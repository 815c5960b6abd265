// Bundles main.js and all it imports into a C++ source that defines plot_script.
// Usage: NODE_PATH=node_modules node bundle.cjs main.js OUTPUT.cpp
const crypto = require('crypto');
const fs = require('fs');
const { bundle } = require('../../../cmake/bundle.cjs');

const [entry, output] = process.argv.slice(2);

// HTML turns other line ends into line feeds, and the hash is over what the browser sees.
const script = bundle(entry).replace(/\r\n?/g, '\n');
if (/<\/script|<!--|\)bundle"/i.test(script)) throw new Error('the bundle cannot be put into a page');
const hash = 'sha256-' + crypto.createHash('sha256').update(script).digest('base64');

fs.writeFileSync(output, `#include "report/page.h"

#ifdef __clang__
#pragma clang diagnostic ignored "-Woverlength-strings"
#endif
namespace hushwalk::report {
const Script plot_script{R"bundle(${script})bundle", "${hash}"};
}
`);
