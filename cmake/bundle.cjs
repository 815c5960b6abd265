// One script from an entry and all it imports, with the licences of what is bundled on top: their terms ask that copies carry them.
const fs = require('fs');
const path = require('path');
const esbuild = require('esbuild');

// The folder of the package that a bundled file belongs to.
const packageOf = (file) => file.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0];

// Each text once.
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

// Packages are looked for in the folders of NODE_PATH.
exports.bundle = (entry, options = {}) => {
  const { outputFiles, metafile } = esbuild.buildSync({
    entryPoints: [entry], bundle: true, minify: true, write: false, metafile: true, format: 'iife',
    target: 'es2020', platform: 'browser', legalComments: 'none', logLevel: 'warning',
    nodePaths: process.env.NODE_PATH.split(path.delimiter), ...options,
  });
  return `/*\n${licences(Object.keys(metafile.inputs)).replace(/\*\//g, '* /')}\n*/\n` + outputFiles[0].text;
};
