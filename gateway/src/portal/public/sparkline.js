import { svgElement } from './element.js';
import { latencyText } from './time-text.js';

const width = 300;
const height = 44;
// Below this the line would show nothing but noise.
const scaleMsMin = 20;

/** A line of latencies; where the service was not up there is a bar with a cross on it instead. */
export function sparkline({ slots, windowMs, slotMs, now }) {
	const from = now - windowMs;
	const visible = slots.filter((slot) => slot.at >= from - slotMs);
	const slowest = Math.max(0, ...visible.map((slot) => slot.latencyMs ?? 0));
	const scaleMs = Math.max(scaleMsMin, slowest);
	const x = (at) => round(((at - from) / windowMs) * width);
	const y = (ms) => round(height - 3 - (ms / scaleMs) * (height - 8));
	const runs = runsOf(visible, slotMs);
	const bad = visible.filter((slot) => slot.status === 'DOWN' || slot.status === 'DEGRADED');
	return svgElement(
		'svg',
		{
			class: 'sparkline',
			viewBox: `0 0 ${width} ${height}`,
			preserveAspectRatio: 'none',
			role: 'img',
			'aria-label': describe(visible, slowest, bad, slotMs),
		},
		svgElement('line', { class: 'base', x1: 0, x2: width, y1: height - 1, y2: height - 1 }),
		...bad.map((slot) =>
			svgElement('rect', {
				class: `bad ${slot.status}`,
				x: Math.max(0, x(slot.at)),
				y: slot.status === 'DOWN' ? 0 : height / 2,
				// A little over its slot, so that neighbours touch.
				width: round((slotMs / windowMs) * width) + 0.7,
				height: slot.status === 'DOWN' ? height : height / 2,
			}),
		),
		...runs.map((run) => svgElement('path', { class: 'area', d: areaOf(run, x, y) })),
		...runs.map((run) => svgElement('path', { class: 'line', d: lineOf(run, x, y) })),
	);
}

/** Stretches without a gap. */
function runsOf(slots, slotMs) {
	const runs = [];
	let before;
	for (const slot of slots) {
		if (slot.latencyMs === null || slot.status === 'DOWN') {
			before = undefined;
			continue;
		}
		if (before === undefined || slot.at - before.at > 2.5 * slotMs) runs.push([]);
		runs.at(-1).push(slot);
		before = slot;
	}
	return runs;
}

function lineOf(run, x, y) {
	if (run.length === 1) return `M${x(run[0].at) - 1.5} ${y(run[0].latencyMs)}h3`;
	return `M${run.map((slot) => `${x(slot.at)} ${y(slot.latencyMs)}`).join('L')}`;
}

function areaOf(run, x, y) {
	return `${lineOf(run, x, y)}L${x(run.at(-1).at)} ${height}L${x(run[0].at)} ${height}Z`;
}

function describe(slots, slowest, bad, slotMs) {
	if (slots.length === 0) return 'Latency: nothing measured yet.';
	const trouble =
		bad.length === 0 ? 'always up' : `not up for about ${Math.ceil((bad.length * slotMs) / 60_000)} min`;
	return `Latency of the last 15 minutes: at most ${latencyText(slowest)}, ${trouble}.`;
}

function round(value) {
	return Math.round(value * 10) / 10;
}
