import { formatLine, type LogLevel } from '@paddock/telemetry';

/** What is said of one request. Undefined values are left out. */
export interface AccessEntry {
	readonly requestId: string;
	readonly traceId?: string;
	readonly method?: string;
	readonly path?: string;
	readonly route: string;
	readonly status: number;
	readonly durationMs?: number;
	readonly client: string | undefined;
	readonly userId?: string | undefined;
	readonly instance?: string | undefined;
	readonly attempts?: number | undefined;
	readonly failure?: string | undefined;
	readonly refused?: string;
}

/** Takes one line at a time, without its end. */
export interface LineSink {
	write(line: string): void;
}

export interface AccessLines {
	write(entry: AccessEntry): void;
}

export interface AccessLinesDeps {
	readonly sink: LineSink;
	readonly level: LogLevel;
	readonly now: () => Date;
}

const service = 'gateway';
// Texts that JSON and a terminal take as they are. Everything else goes through the logger's own format.
const plain = /^[\w\-.~!$&'()*+,=:@%/[\]]*$/;
// A token or the password of an address, which the logger's format makes unreadable.
const suspicious = /eyJ|\/\//;

/**
 * The access log's lines, the same as the logger's, put together by hand: the logger looks into every value for what
 * must not be shown, and here it is known what there is (docs/performance.md).
 */
export function createAccessLines({ sink, level, now }: AccessLinesDeps): AccessLines {
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
function plainRest(entry: AccessEntry): string | undefined {
	const { path = '' } = entry;
	if (suspicious.test(path)) return undefined;
	let rest = '';
	for (const name in entry) {
		const value: unknown = Reflect.get(entry, name);
		if (value === undefined) continue;
		if (typeof value === 'number') rest += `,"${name}":${value}`;
		else if (typeof value === 'string' && plain.test(value)) rest += `,"${name}":"${value}"`;
		else return undefined;
	}
	return rest;
}
