const secretKey = /authorization|cookie|passw(?:or)?d|secret|token|private|api-?_?key|credential/i;

// Secrets within a text: the password of a URL, a bearer token, a JWT at any position.
const secretTexts: readonly [RegExp, string][] = [
	[/(\w:\/\/[^\s:/@]*:)[^\s/]+@/g, '$1[redacted]@'],
	[/\b(Bearer\s+)[\w.~+/-]+=*/gi, '$1[redacted]'],
	// One match starts per run of these characters. Within a run `\b` starts one at each hyphen, which is quadratic
	// without a bound on the header: 10 KB of `-eyJ` took 0.2 s.
	[/(?:(?<![\w-])eyJ[\w-]{8,}|\beyJ[\w-]{8,500})\.[\w-]+\.[\w-]*/g, '[redacted]'],
];

const depthMax = 6;
const entriesMax = 50;
const charsMax = 10_000;
// Limit for one log entry. Limits on depth and width alone would let an object graph produce gigabytes.
const valuesMax = 1_000;

/** A copy of a value that is safe to log: secrets replaced, errors with stack and causes, cycles and sizes cut. Never throws. */
export function loggable(value: unknown): unknown {
	return copyOf(value, { ancestors: [], left: { values: valuesMax } });
}

interface Place {
	readonly ancestors: readonly object[];
	readonly left: { values: number };
}

function copyOf(value: unknown, place: Place): unknown {
	if (typeof value === 'string') return withoutSecrets(value);
	if (typeof value === 'bigint' || typeof value === 'symbol') return String(value);
	if (typeof value === 'function') return '[function]';
	if (typeof value !== 'object' || value === null) return value;
	if (place.ancestors.includes(value)) return '[circular]';
	if (place.ancestors.length > depthMax || place.left.values <= 0) return '[cut]';
	place.left.values -= 1;
	try {
		return copyOfObject(value, { ...place, ancestors: [...place.ancestors, value] });
	} catch {
		return '[unreadable]'; // A proxy or a getter that throws: logging must not fail what it reports on.
	}
}

function copyOfObject(value: object, place: Place): unknown {
	if (value instanceof Error) return copyOfError(value, place);
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
	if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
	if (value instanceof Map)
		return copyOfEntries(
			[...value].map(([key, entry]) => [String(key), entry]),
			place,
		);
	if (Array.isArray(value) || value instanceof Set)
		return [...value].slice(0, entriesMax).map((entry) => copyOf(entry, place));
	const keys = Object.keys(value).slice(0, entriesMax);
	return copyOfEntries(
		keys.map((key) => [key, entryOf(value, key)]),
		place,
	);
}

function copyOfEntries(entries: readonly (readonly [string, unknown])[], place: Place): object {
	return Object.fromEntries(
		entries
			.slice(0, entriesMax)
			.map(([key, entry]) => [key.slice(0, 200), secretKey.test(key) ? '[redacted]' : copyOf(entry, place)]),
	);
}

function entryOf(object: object, key: string): unknown {
	try {
		return Reflect.get(object, key);
	} catch {
		return '[unreadable]';
	}
}

/** Name, message, stack and cause are inherited or not enumerable; `errors` is that of an AggregateError. */
function copyOfError(error: Error, place: Place): object {
	const names = ['name', 'message', 'code', 'stack', 'cause', 'errors'];
	const entries = names
		.map((name) => [name, entryOf(error, name)] as const)
		.filter(([, entry]) => entry !== undefined);
	return copyOfEntries(entries, place);
}

function withoutSecrets(text: string): string {
	const short = text.length > charsMax ? `${text.slice(0, charsMax)}[cut]` : text;
	return secretTexts.reduce((result, [secret, replacement]) => result.replace(secret, replacement), short);
}

const causesMax = 5;

/** `members-service: unreachable: connect ECONNREFUSED 127.0.0.1:8082`. An expected failure needs no stack. */
export function causeText(cause: unknown): string {
	const texts: string[] = [];
	for (let each = cause; each !== undefined && texts.length < causesMax; each = nextCause(each)) {
		const text = each instanceof Error ? each.message || each.name : JSON.stringify(loggable(each));
		if (text !== texts.at(-1)) texts.push(text);
	}
	return texts.join(': ');
}

function nextCause(cause: unknown): unknown {
	return cause instanceof Error ? cause.cause : undefined;
}
