/** A span of time in which an account may use so much, as people call it; others bear the agent's own name. */
export function limitName(name: string): string {
  return Object.hasOwn(NAMES, name) ? (NAMES[name] ?? name) : name;
}

const NAMES: Readonly<Record<string, string>> = { five_hour: '5 h', seven_day: 'week' };
