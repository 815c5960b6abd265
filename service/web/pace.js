// How fast a budget is spent, by the newest entries of its ledger.
export const DAY = 86_400_000;  // milliseconds
const UNITS = 1e9;  // of a ledger, in an epsilon of 1

// What was spent before and after each charge, as plain sums. Every entry says the sum so far, so that it does not matter how many
// came before those at hand.
export function steps({ entries }) {
  return entries.filter((entry) => entry.epsilon > 0).map(({ at, epsilon, event }) => {
    const spent = event.total.units / UNITS;
    return { at: Date.parse(at), before: Math.max(0, spent - epsilon), spent };
  });
}

// Straight on, as fast as since the first of these charges; a pace is taken over a day at least, so that one busy hour is not an end. With a
// delta the ledger counts less than plain sums: of what it counts these charges are taken to have the part that they have of the sum.
export function projection(points, spent, limit, now) {
  if (points.length === 0 || !Number.isFinite(limit)) return null;
  if (spent >= limit) return { over: true };
  const part = 1 - points[0].before / points.at(-1).spent;
  const pace = (spent * part) / Math.max(1, (now - points[0].at) / DAY);
  return pace > 0 ? { pace, end: now + ((limit - spent) / pace) * DAY } : null;
}
