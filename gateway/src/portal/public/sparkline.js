import { svgElement } from './element.js';

const width = 300;
const height = 44;
/**
 * A line of values; a slot with a status that is not UP has a bar. `slots` are `{ at, value, status }`, a value of null is
 * a gap. Below `scaleMin` the line would show nothing but noise. `label` describes the chart.
 */
export function sparkline({ slots, windowMs, slotMs, now, scaleMin, label }) {
	const from = now - windowMs;
	const visible = slots.filter((slot) => slot.at >= from - slotMs);
	const scale = Math.max(scaleMin, ...visible.map((slot) => slot.value ?? 0));
	const x = (at) => round(((at - from) / windowMs) * width);
	const y = (value) => round(height - 3 - (value / scale) * (height - 8));
	const runs = runsOf(visible, slotMs);
	const bad = visible.filter((slot) => slot.status === 'DOWN' || slot.status === 'DEGRADED');
	return svgElement(
		'svg',
		{
			class: 'sparkline',
			viewBox: `0 0 ${width} ${height}`,
			preserveAspectRatio: 'none',
			role: 'img',
			'aria-label': label,
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
		if (slot.value === null || slot.status === 'DOWN') {
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
	if (run.length === 1) return `M${x(run[0].at) - 1.5} ${y(run[0].value)}h3`;
	return `M${run.map((slot) => `${x(slot.at)} ${y(slot.value)}`).join('L')}`;
}

function areaOf(run, x, y) {
	return `${lineOf(run, x, y)}L${x(run.at(-1).at)} ${height}L${x(run[0].at)} ${height}Z`;
}

function round(value) {
	return Math.round(value * 10) / 10;
}
