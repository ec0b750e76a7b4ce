import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { Counter, collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import { droppedLines } from './dropped-lines.ts';

// Gauges with names of counters, each the sum over another existing gauge: the naming rules of Prometheus
// (https://prometheus.io/docs/practices/naming/) reserve `_total` for counters.
const misnamed = [
	'nodejs_active_handles_total',
	'nodejs_active_requests_total',
	'nodejs_active_resources_total',
];

/** The Node.js defaults of prom-client, and what they lack: the limits of memory, and lost lines of the log. */
export function processMetrics(registry: Registry): void {
	collectDefaultMetrics({ register: registry });
	for (const name of misnamed) registry.removeSingleMetric(name);
	const registers = [registry];
	new Gauge({
		name: 'process_memory_limit_bytes',
		help: 'Memory that the process may use: the limit of its container, else the memory of the machine.',
		registers,
		// Processes of one machine share it.
		aggregator: 'max',
	}).set(memoryLimitBytes());
	new Gauge({
		name: 'nodejs_heap_size_limit_bytes',
		help: 'Heap size at which Node.js exits.',
		registers,
	}).set(getHeapStatistics().heap_size_limit);
	new Counter({
		name: 'dropped_log_lines_total',
		help: 'Lines of the log that were dropped, by cause: blocked (the output is not read), or the error of the output.',
		labelNames: ['cause'],
		registers,
		collect() {
			this.reset();
			for (const [cause, lines] of droppedLines.byCause()) this.inc({ cause }, lines);
		},
	});
}

interface ObservedTls {
	expiresAt(): Date;
	readonly failedHandshakes: { counts(): ReadonlyMap<string, number> };
}

/** For a process whose connections have a certificate. */
export function observeTls(registry: Registry, tls: ObservedTls | undefined): void {
	if (tls === undefined) return;
	new Gauge({
		name: 'process_certificate_expiry_timestamp_seconds',
		help: 'Time at which the certificate of the process or an authority of it expires.',
		registers: [registry],
		aggregator: 'min',
		collect() {
			this.set(tls.expiresAt().getTime() / 1000);
		},
	});
	new Counter({
		name: 'process_tls_handshakes_failed_total',
		help: 'Handshakes that failed at the servers of the process, by reason.',
		labelNames: ['reason'],
		registers: [registry],
		collect() {
			this.reset();
			for (const [reason, count] of tls.failedHandshakes.counts()) this.inc({ reason }, count);
		},
	});
}

function memoryLimitBytes(): number {
	// 0 or more than the machine has if there is no limit.
	const constrained = process.constrainedMemory();
	return constrained === 0 ? totalmem() : Math.min(totalmem(), constrained);
}
