// Draws the plots of a report. The page holds each plot as a Vega-Lite specification without colours or fonts;
// they are added here, for the theme and the width at hand. Expressions are interpreted, so that the page's policy
// need not allow eval.
import embed from 'vega-embed';
import { expressionInterpreter } from 'vega-interpreter';

// Colours of Okabe and Ito, which colour-blind people can tell apart, made darker or lighter for contrast.
const THEMES = {
  light: {
    ink: '#1d1f21', quiet: '#5b6068', grid: '#e7e6e0', paper: '#fdfdfb', best: '#d55e00',
    series: ['#0072b2', '#d55e00', '#00875f', '#a8468a', '#b07a00', '#2b9bd8', '#6b6b6b', '#1d1f21', '#6a4fd0', '#7a4b2a', '#b5325b', '#3f6e2e', '#787a00'],
  },
  dark: {
    ink: '#e4e4e0', quiet: '#a3a8b0', grid: '#2d3136', paper: '#16181b', best: '#ff8a3d',
    series: ['#56b4e9', '#ff8a3d', '#2fc79b', '#e08cc0', '#e8b530', '#8f9bff', '#a9a9a9', '#f2f2ee', '#b9a6ff', '#c99a78', '#ff86a8', '#a6d38c', '#dde25a'],
  },
};
const FONT = 'system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, "DejaVu Sans", sans-serif';

const system = matchMedia('(prefers-color-scheme: dark)');
const theme = () => document.documentElement.dataset.theme ?? (system.matches ? 'dark' : 'light');

// How wide a text is, about.
const ruler = document.createElement('canvas').getContext('2d');
function textWidth(text) {
  ruler.font = `12px ${FONT}`;
  return ruler.measureText(text).width;
}

function legendColumns(spec, width) {
  const names = new Set(spec.data.values.map((row) => row.series ?? row.kind).filter((name) => name !== undefined));
  const widest = Math.max(0, ...[...names].map(textWidth));
  return Math.max(1, Math.min(names.size, Math.floor((width - 70) / (Math.min(widest, width - 110) + 38))));
}

// A name that is wider than its place beside the axis and its mark, in lines: a legend would cut it, and with it "(wrong)".
function wrapped(name, width) {
  const lines = [''];
  for (const word of name.split(' ')) {
    const longer = lines.at(-1) === '' ? word : `${lines.at(-1)} ${word}`;
    if (lines.at(-1) === '' || textWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function withWholeNames(spec, width) {
  const names = [...new Set(spec.data.values.map((row) => row.series ?? row.kind).filter((name) => name !== undefined))];
  if (!names.some((name) => textWidth(name) > width)) return spec;
  const copy = structuredClone(spec);
  const labelExpr = `${JSON.stringify(Object.fromEntries(names.map((name) => [name, wrapped(name, width)])))}[datum.label]`;
  const visit = (part) => {
    for (const channel of ['color', 'shape']) {
      const encoding = part.encoding?.[channel];
      if (encoding?.field === 'series' || encoding?.field === 'kind') encoding.legend = { ...encoding.legend, labelExpr };
    }
    part.layer?.forEach(visit);
  };
  visit(copy);
  return copy;
}

function config(spec, width) {
  const { ink, quiet, grid, paper, best, series } = THEMES[theme()];
  return {
    background: paper, font: FONT,
    padding: { left: 2, right: 10, top: spec.title ? 4 : 26, bottom: 4 },  // room for the menu
    view: { stroke: null },
    title: { anchor: 'start', color: ink, fontSize: 13, fontWeight: 600, offset: 14, limit: width - 40 },
    axis: {
      labelColor: quiet, titleColor: ink, gridColor: grid, domainColor: quiet, tickColor: quiet,
      labelFontSize: 11, titleFontSize: 12, titleFontWeight: 500, titlePadding: 8, tickCount: 6, labelFlush: false,
      titleLimit: width - 40,
    },
    axisX: { grid: false },
    axisY: { labelLimit: Math.round(width * 0.36), maxExtent: width, titleLimit: 260 },
    axisBand: { grid: false, labelAngle: 0, ticks: false, domain: false, labelPadding: 6 },
    legend: {
      orient: 'bottom', direction: 'horizontal', columns: legendColumns(spec, width), symbolSize: 90, labelFontSize: 12,
      labelColor: ink, titleColor: ink, titleFontWeight: 500, titleFontSize: 12, titleLimit: width - 40, labelLimit: 0,
      gradientLength: Math.min(220, width - 60), symbolStrokeWidth: 2,
    },
    range: { category: (spec.usermeta?.places ?? [...series.keys()]).map((place) => series[place]), heatmap: { scheme: 'viridis' }, ramp: { scheme: 'viridis' } },
    line: { strokeWidth: 2 }, point: { size: 52 }, bar: { color: series[0] },
    rule: { color: ink, strokeWidth: 1.25 }, text: { color: quiet, fontSize: 12 },
    area: { color: series[0] },
    style: {
      cell: { stroke: paper, strokeWidth: 1 },
      missing: { stroke: quiet, strokeDash: [3, 3], strokeWidth: 0.75 },
      best: { stroke: best, strokeWidth: 3, strokeOpacity: 1 },
    },
  };
}

async function draw(plot) {
  const { name, file } = plot.dataset;
  const spec = withWholeNames(plot.specification, plot.clientWidth - 110);
  plot.view?.finalize();
  plot.drawnWidth = plot.clientWidth;
  const result = await embed(plot.querySelector('.canvas'), { description: name, ...spec }, {
    mode: 'vega-lite', renderer: 'svg', ast: true, expr: expressionInterpreter, config: config(spec, plot.clientWidth),
    actions: { export: { svg: true, png: true }, source: false, compiled: false, editor: false },
    downloadFileName: file, scaleFactor: { png: 2 }, tooltip: { theme: theme() },
    i18n: { CLICK_TO_VIEW_ACTIONS: 'Save this plot' },
  });
  plot.view = result;
  plot.querySelector('summary')?.setAttribute('aria-label', `Save this plot: ${name}`);
}

async function drawFigure(plots) {
  plots.hidden = false;
  try {
    for (const plot of plots.querySelectorAll('.plot')) await draw(plot);
    return true;
  } catch (error) {
    console.error(error);
    plots.hidden = true;  // the table stays open
    return false;
  }
}

function prepare(plot) {
  plot.specification = JSON.parse(plot.querySelector('script').textContent);
  const canvas = document.createElement('div');
  canvas.className = 'canvas';
  plot.append(canvas);
}

const figures = [...document.querySelectorAll('.plots')];
const redraw = async () => { for (const plots of figures) if (!plots.hidden) await drawFigure(plots); };

function addToggle() {
  const button = document.createElement('button');
  button.className = 'theme';
  button.type = 'button';
  const show = () => {
    const other = theme() === 'dark' ? 'light' : 'dark';
    button.textContent = other === 'dark' ? '☾' : '☀';
    button.setAttribute('aria-label', `Switch to ${other} colours`);
  };
  button.addEventListener('click', () => {
    document.documentElement.dataset.theme = theme() === 'dark' ? 'light' : 'dark';
    show();
    redraw();
  });
  system.addEventListener('change', () => { show(); redraw(); });
  show();
  document.querySelector('header').prepend(button);
}

let waiting;
function redrawWhenResized() {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    if (figures.some((plots) => [...plots.querySelectorAll('.plot')].some((plot) => plot.drawnWidth !== plot.clientWidth))) redraw();
  }, 150);
}

async function start() {
  addToggle();
  document.querySelectorAll('.plot').forEach(prepare);
  for (const plots of figures)
    if (await drawFigure(plots)) plots.closest('figure').querySelector('details.data').open = false;
  addEventListener('resize', redrawWhenResized);
  document.documentElement.dataset.ready = 'true';
}
start();
