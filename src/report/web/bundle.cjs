// Bundles main.js and all it imports into a C++ source that defines plot_script.
// Usage: NODE_PATH=node_modules node bundle.cjs main.js OUTPUT.cpp
const crypto = require('crypto');
const fs = require('fs');
const path = require('path');
const esbuild = require('esbuild');

const [entry, output] = process.argv.slice(2);

// The folder of the package that a bundled file belongs to.
const packageOf = (file) => file.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0];

// Licences of what is bundled, each text once: their terms ask that copies carry them.
function licences(inputs) {
  const names = new Map();
  for (const folder of new Set(inputs.map(packageOf).filter(Boolean))) {
    const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const file = fs.readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? fs.readFileSync(path.join(folder, file), 'utf8').trim() : `Licence: ${license}`;
    names.set(text, [...(names.get(text) ?? []), `${name} ${version}`]);
  }
  return [...names].map(([text, packages]) => `${packages.sort().join(', ')}\n\n${text}`).sort().join('\n\n----\n\n');
}

const { outputFiles, metafile } = esbuild.buildSync({
  entryPoints: [entry], bundle: true, minify: true, write: false, metafile: true, format: 'iife',
  target: 'es2020', platform: 'browser', legalComments: 'none', logLevel: 'warning',
  nodePaths: process.env.NODE_PATH.split(path.delimiter),
});
// HTML turns other line ends into line feeds, and the hash is over what the browser sees.
const script = (`/*\n${licences(Object.keys(metafile.inputs)).replace(/\*\//g, '* /')}\n*/\n` + outputFiles[0].text).replace(/\r\n?/g, '\n');
if (/<\/script|<!--|\)bundle"/i.test(script)) throw new Error('the bundle cannot be put into a page');
const hash = 'sha256-' + crypto.createHash('sha256').update(script).digest('base64');

fs.writeFileSync(output, `#include "report/script.h"

#ifdef __clang__
#pragma clang diagnostic ignored "-Woverlength-strings"
#endif
namespace hushwalk::report {
const Script plot_script{R"bundle(${script})bundle", "${hash}"};
}
`);
