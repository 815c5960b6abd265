// Numbers and dates as people read them.
const round = (value, digits) => Number(value.toPrecision(digits));

// A budget, a cost: never shown as less than it is by more than its last digit. "inf" is how JSON says infinite.
export const epsilon = (value) => (value === 'inf' || value === Infinity ? 'no limit' : String(round(value, 6)));
export const score = (value) => (Math.abs(value) >= 0.001 || value === 0 ? value.toFixed(4) : value.toExponential(1));
export const count = (value) => value.toLocaleString('en');
export const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

export const day = (time) => new Date(time).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
export const clock = (time) => new Date(time).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
export const moment = (time) => new Date(time).toLocaleString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });

export const sentence = (text) => (text ? text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.') : '');
