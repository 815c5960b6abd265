// How Chromium is started: as root too, without a screen, and asking nobody for anything of its own.
module.exports = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];
