import { element, showText } from './element.js';
import { term } from './terms.js';
import { latencyText, percentText, rateText } from './time-text.js';

/** Sums over all services at the top of the page; what is unknown to the caller is left out. */
export function createTotals() {
	const services = figure('Services up');
	const instances = figure(term('instance', 'Instances'), ' usable');
	const breakers = figure(term('breaker', 'Breakers'), ' not closed');
	const rate = figure('Requests');
	const errors = figure('Responses ', term('errors', '5xx'));
	const slowest = figure('Slowest ', term('p95', 'p95'));
	const node = element(
		'dl',
		{ class: 'totals' },
		...[services, instances, breakers, rate, errors, slowest].map((each) => each.node),
	);
	return {
		node,
		showHealth: (all) => {
			const list = Object.values(all);
			services.show(
				`${list.filter(({ status }) => status === 'UP').length} of ${list.length}`,
				list.some(({ status }) => status !== 'UP'),
			);
			const known = list.every((service) => service.instances !== undefined);
			const each = list.flatMap((service) => service.instances ?? []);
			const usable = each.filter(({ status }) => status === 'UP' || status === 'UNKNOWN').length;
			instances.show(known ? `${usable} of ${each.length}` : '', usable < each.length);
			const open = each.filter(({ breaker }) => breaker.state !== 'CLOSED');
			const forced = each.filter(({ breaker }) => breaker.forced !== undefined).length;
			const forcedText = forced === 0 ? '' : `, ${forced} forced`;
			breakers.show(known ? `${open.length}${forcedText}` : '', open.length > 0);
		},
		showTraffic: ({ contexts }) => {
			const latest = Object.values(contexts).flatMap((samples) => samples.at(-1) ?? []);
			const sum = (part) => latest.reduce((total, sample) => total + part(sample), 0);
			const requests = sum((sample) => sample.requests);
			const failed = sum((sample) => sample.errors);
			const known = latest.length > 0;
			rate.show(
				known ? rateText(sum((sample) => (sample.seconds === 0 ? 0 : sample.requests / sample.seconds))) : '',
			);
			errors.show(known ? (requests === 0 ? '–' : percentText(failed / requests)) : '', failed > 0);
			const p95s = latest.flatMap(({ p95Ms }) => p95Ms ?? []);
			slowest.show(known ? latencyText(p95s.length === 0 ? null : Math.max(...p95s)) : '');
		},
	};
}

function figure(...label) {
	const value = element('dd');
	const node = element('div', {}, element('dt', {}, ...label), value);
	return {
		node,
		show: (text, isBad = false) => {
			node.hidden = text === '';
			node.toggleAttribute('data-bad', isBad);
			if (value.textContent !== text) showText(value, text);
		},
	};
}
