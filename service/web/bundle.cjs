// Bundles the page into a C++ source that defines page_files(), every file compressed.
// Usage: NODE_PATH=node_modules[:…] node bundle.cjs OUTPUT.cpp [FOLDER]     (FOLDER: the same files, to look at)
const fs = require('fs');
const path = require('path');
const zlib = require('zlib');
const esbuild = require('esbuild');
const marked = require('marked');
const { bundle } = require('../../cmake/bundle.cjs');
const { theorems } = require('./theorems.cjs');

const [output, folder] = process.argv.slice(2);
const file = (name) => fs.readFileSync(path.join(__dirname, name), 'utf8');
const script = bundle(path.join(__dirname, 'main.jsx'), { jsx: 'automatic', jsxImportSource: 'preact', charset: 'utf8' });
const minified = (sheet) => esbuild.transformSync(sheet, { loader: 'css', minify: true }).code;

const files = [
  ['/', 'text/html; charset=utf-8', file('index.html')],
  ['/page.js', 'text/javascript; charset=utf-8', script],
  ['/page.css', 'text/css; charset=utf-8', minified(file('page.css'))],
  ['/icon.svg', 'image/svg+xml', file('icon.svg')],
  ['/theorems.json', 'application/json', theorems(path.join(__dirname, '../..'), marked)],
].map(([name, type, text]) => ({ name, type, text, bytes: zlib.gzipSync(text, { level: 9 }) }));

// Three octal digits each, so that no byte runs into the next.
const literal = (bytes) => [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('').replace(/.{116}/g, '$&"\n       "');
const entry = ({ name, type, bytes }) => `      {"${name}", "${type}",\n       {"${literal(bytes)}", ${bytes.length}}},\n`;
fs.writeFileSync(output, `#include "page.h"

#ifdef __clang__
#pragma clang diagnostic ignored "-Woverlength-strings"
#endif
namespace hushwalk::service {

std::span<const PageFile> page_files() {
  static constexpr PageFile files[] = {
${files.map(entry).join('')}  };
  return files;
}

}  // namespace hushwalk::service
`);

if (folder)
  for (const { name, text } of files) fs.writeFileSync(path.join(folder, name === '/' ? 'index.html' : name), text);
