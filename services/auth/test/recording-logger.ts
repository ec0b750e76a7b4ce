import { Writable } from 'node:stream';
import { createLogger, formatLine } from '@paddock/telemetry';

/** A logger as in production, at the level debug, whose lines are collected. */
export function recordingLogger() {
	const lines: string[] = [];
	const logger = createLogger({ service: 'auth-service', level: 'debug' });
	const [console] = logger.transports;
	if (console === undefined) throw new Error('the logger writes nowhere');
	logger.remove(console);
	const stream = new Writable({
		objectMode: true,
		write: (entry: Record<string, unknown>, _encoding, done) => {
			lines.push(formatLine(entry));
			done();
		},
	});
	logger.pipe(stream);
	return { logger, lines };
}
