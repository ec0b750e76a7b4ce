import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { Counter, Gauge, type Registry } from 'prom-client';
import { droppedLines } from './dropped-lines.ts';

/** What prom-client's defaults lack: the limits of memory, and lost lines of the log. */
export function processMetrics(registry: Registry): void {
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
		name: 'process_log_lines_dropped_total',
		help: 'Lines of the log that were dropped because the output was blocked.',
		registers,
		collect() {
			this.reset();
			this.inc(droppedLines.count);
		},
	});
}

/** For a process whose connections have a certificate. */
export function observeCertificate(registry: Registry, certificate: { expiresAt(): Date } | undefined): void {
	if (certificate === undefined) return;
	new Gauge({
		name: 'process_certificate_expiry_timestamp_seconds',
		help: 'Time at which the certificate of the process or an authority of it expires.',
		registers: [registry],
		aggregator: 'min',
		collect() {
			this.set(certificate.expiresAt().getTime() / 1000);
		},
	});
}

function memoryLimitBytes(): number {
	// 0 or more than the machine has if there is no limit.
	const constrained = process.constrainedMemory();
	return constrained === 0 ? totalmem() : Math.min(totalmem(), constrained);
}
