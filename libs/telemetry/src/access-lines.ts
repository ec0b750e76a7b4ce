import { formatLine, type LogLevel } from './logger.ts';

/** Takes one line at a time, without its end. */
export interface LineSink {
	write(line: string): void;
}

/** What is said of requests, one line each. */
export interface AccessLines {
	/** @param entry of texts and numbers; undefined values are left out */
	write(entry: object): void;
}

export interface AccessLinesDeps {
	/** Whose lines they are. */
	readonly service: string;
	readonly sink: LineSink;
	readonly level: LogLevel;
	readonly now: () => Date;
}

// Texts that JSON and a terminal take as they are. Everything else goes through the logger's own format.
const plain = /^[\w\-.~!$&'()*+,=:@%/[\]{}]*$/;
// A token or the password of an address, which the logger's format makes unreadable.
const suspicious = /eyJ|\/\//;

/**
 * The access log's lines, the same as the logger's, put together by hand: the logger looks into every value for what
 * must not be shown, and here it is known what there is (docs/performance.md).
 */
export function createAccessLines({ service, sink, level, now }: AccessLinesDeps): AccessLines {
	if (level === 'error' || level === 'warn') return { write: () => undefined };
	const start = `"level":"info","service":"${service}","message":"request"`;
	return {
		write: (entry) => {
			const rest = plainRest(entry);
			sink.write(
				rest === undefined
					? formatLine({ level: 'info', service, message: 'request', ...entry })
					: `{"timestamp":"${now().toISOString()}",${start}${rest}}`,
			);
		},
	};
}

/** Undefined where a value needs the logger's care. */
function plainRest(entry: object): string | undefined {
	let rest = '';
	for (const name in entry) {
		const value: unknown = Reflect.get(entry, name);
		if (value === undefined) continue;
		if (typeof value === 'number') rest += `,"${name}":${value}`;
		else if (typeof value === 'string' && plain.test(value) && !suspicious.test(value))
			rest += `,"${name}":"${value}"`;
		else return undefined;
	}
	return rest;
}
