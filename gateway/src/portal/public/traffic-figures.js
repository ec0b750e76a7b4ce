import { element, showIn } from './element.js';
import { sparkline } from './sparkline.js';
import { durationText, latencyText } from './time-text.js';

/** Rate, share of errors and percentiles of one service, with their lines; `show` takes the gateway's samples. */
export function createTrafficFigures() {
	const numbers = element('p', { class: 'numbers' });
	const rate = createFigure();
	const slow = createFigure();
	const node = element('div', { class: 'traffic', hidden: true }, numbers, rate.node, slow.node);
	const show = (samples, { intervalMs, intervalsMax }) => {
		const latest = samples.at(-1);
		node.hidden = latest === undefined;
		if (latest === undefined) return;
		const text = numbersText(latest);
		if (numbers.textContent !== text) numbers.textContent = text;
		const range = { windowMs: intervalMs * intervalsMax, slotMs: intervalMs };
		const period = `last ${durationText(range.windowMs / 1_000).replace(' 0 s', '')}`;
		const now = endOf(latest);
		const errors = samples.reduce((sum, sample) => sum + sample.errors, 0);
		rate.show({
			...range,
			now,
			scaleMin: 1,
			slots: samples.map((sample) => slotOf(sample, rateOf(sample), sample.errors > 0)),
			legend: `Requests per second, ${period} · at most ${rateText(Math.max(...samples.map(rateOf)))}${errors === 0 ? '' : ` · bars: intervals with 5xx, ${errors} in all`}`,
		});
		slow.node.hidden = samples.every(({ p95Ms }) => p95Ms === null);
		slow.show({
			...range,
			now,
			scaleMin: 20,
			slots: samples.map((sample) => slotOf(sample, sample.p95Ms, false)),
			legend: `95th percentile, ${period} · at most ${latencyText(Math.max(0, ...samples.map(({ p95Ms }) => p95Ms ?? 0)))}`,
		});
	};
	return { node, show };
}

function createFigure() {
	const chart = element('div', { class: 'chart' });
	const legend = element('p', { class: 'legend' });
	const node = element('div', { class: 'figure' }, chart, legend);
	const show = (figure) => {
		showIn(chart, figure, () => sparkline({ ...figure, label: figure.legend }));
		legend.textContent = figure.legend;
	};
	return { node, show };
}

function numbersText(sample) {
	const { seconds, requests, errors, p50Ms, p95Ms } = sample;
	const period = `Last ${durationText(seconds)}`;
	if (requests === 0) return `${period}: no requests`;
	const share = errors === 0 ? 'no 5xx' : `${percentText(errors / requests)} 5xx`;
	return `${period}: ${rateText(rateOf(sample))} · ${share} · p50 ≈ ${latencyText(p50Ms)} · p95 ≈ ${latencyText(p95Ms)}`;
}

function slotOf(sample, value, hasErrors) {
	return { at: Date.parse(sample.at), value, status: hasErrors ? 'DEGRADED' : 'UP' };
}

function rateOf({ requests, seconds }) {
	return seconds === 0 ? 0 : requests / seconds;
}

function endOf({ at, seconds }) {
	return Date.parse(at) + seconds * 1_000;
}

function rateText(perSecond) {
	return `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)}/s`;
}

function percentText(share) {
	const percent = share * 100;
	return `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
}
