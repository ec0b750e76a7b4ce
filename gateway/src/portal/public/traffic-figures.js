import { element, showIn, showText } from './element.js';
import { sparkline } from './sparkline.js';
import { term } from './terms.js';
import { durationText, latencyText, percentText, rateText } from './time-text.js';

/** Rate, share of errors and percentiles of one service, with their lines; `show` takes the gateway's samples. */
export function createTrafficFigures() {
	const numbers = createNumbers();
	const rate = createFigure();
	const slow = createFigure();
	const node = element('div', { class: 'traffic', hidden: true }, numbers.node, rate.node, slow.node);
	const show = (samples, { intervalMs, intervalsMax }) => {
		const latest = samples.at(-1);
		node.hidden = latest === undefined;
		if (latest === undefined) return;
		numbers.show(latest);
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

function createNumbers() {
	const rate = element('span');
	const [share, p50, p95] = [element('span'), element('span'), element('span')];
	const errors = element('span', {}, ' · ', share, term('errors', '5xx'));
	const times = element('span', {}, ' · ', term('p50', 'p50'), p50, ' · ', term('p95', 'p95'), p95);
	const node = element('p', { class: 'numbers' }, rate, errors, times);
	const show = (sample) => {
		const { seconds, requests } = sample;
		errors.hidden = requests === 0;
		times.hidden = requests === 0;
		showText(
			rate,
			`Last ${durationText(seconds)}: ${requests === 0 ? 'no requests' : rateText(rateOf(sample))}`,
		);
		showText(share, sample.errors === 0 ? 'no ' : `${percentText(sample.errors / requests)} `);
		showText(p50, ` ≈ ${latencyText(sample.p50Ms)}`);
		showText(p95, ` ≈ ${latencyText(sample.p95Ms)}`);
	};
	return { node, show };
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
