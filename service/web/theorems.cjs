// What "show me why" ends in: the notes of docs/math and the theorems of proofs/ that a certificate may name, in their own words.
const fs = require('fs');
const path = require('path');

const read = (...parts) => fs.readFileSync(path.join(...parts), 'utf8');

// Certificates are worded in src/plan.
const plans = (source) => fs.readdirSync(path.join(source, 'src/plan')).filter((name) => /\.(cpp|h)$/.test(name)).map((name) => read(source, 'src/plan', name)).join('\n');

// The part of a note below a heading.
const part = (text, heading) => text.match(new RegExp(`^## ${heading}\\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, 'm'))?.[1].trim();

// Formulas that are set off are wide: who cannot use a mouse scrolls them by keyboard. Links to other notes would lead nowhere here.
const toHtml = (marked) => {
  const instance = new marked.Marked({ renderer: { link({ tokens }) { return this.parser.parseInline(tokens); } } });
  return (text) => instance.parse(text).replace(/<pre>/g, '<pre tabindex="0">');
};

// A certificate may name a part of a note: docs/math/13-edge-cost.md, "Separate numbers".
function notes(source, named, html) {
  const found = {};
  for (const [, file, section] of named.matchAll(/docs\/math\/(\d\d-[\w-]+\.md)(?:, \\"([^"\\]+)\\")?/g)) {
    const text = read(source, 'docs/math', file), conditions = part(text, 'Conditions');
    const note = (found[file.slice(0, 2)] ??= {
      file, title: text.match(/^# \d\d (.*)$/m)[1], statement: html(part(text, 'Statement')), ...(conditions && { conditions: html(conditions) }), parts: {},
    });
    if (section) note.parts[section] = html(part(text, section));
  }
  return found;
}

// A theorem of Coq, and what its file says on top, in words.
function proofs(source, named) {
  const found = {};
  for (const [, file, name] of named.matchAll(/"(\w+)\.(\w+)"/g)) {
    if (!fs.existsSync(path.join(source, 'proofs', `${file}.v`))) continue;
    const text = read(source, 'proofs', `${file}.v`);
    const statement = text.match(new RegExp(`^(?:Theorem|Lemma|Corollary) ${name}\\b[\\s\\S]*?(?=^Proof)`, 'm'));
    if (statement) found[`${file}.${name}`] = { words: text.match(/^\(\*([\s\S]*?)\*\)/)[1].replace(/\n {3}/g, '\n').trim(), statement: statement[0].trim() };
  }
  return found;
}

exports.theorems = (source, marked) => {
  const named = plans(source);
  return JSON.stringify({ notes: notes(source, named, toHtml(marked)), proofs: proofs(source, named) });
};
