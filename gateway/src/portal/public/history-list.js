import { element, showIn } from './element.js';
import { createState } from './state-mark.js';
import { clockText } from './time-text.js';

const subjects = { breaker: 'Breaker', health: 'Health', discovery: 'Registry', instances: 'Instances' };
const words = new Set(['UP', 'DEGRADED', 'DOWN', 'UNKNOWN', 'CLOSED', 'HALF_OPEN', 'OPEN']);

/** The changes of state, the newest first; a change of several contexts is one entry. */
export function showHistory(list, none, history) {
	none.hidden = history.length > 0;
	list.hidden = history.length === 0;
	showIn(list, history, (changes) => changes.map(entry));
}

function entry({ at, context, contexts, instance, what, from, to, cause }) {
	return element(
		'li',
		{},
		element('time', { datetime: at }, clockText(at)),
		element(
			'div',
			{ class: 'change' },
			element(
				'p',
				{},
				element('strong', {}, (contexts ?? [context]).join(', ')),
				` ${subjects[what] ?? what}`,
				instance === undefined ? undefined : element('code', { class: 'muted' }, ` ${instance}`),
			),
			element('p', { class: 'change-states' }, stateOf(from), element('span', {}, ' → '), stateOf(to)),
			cause === undefined || cause === '' ? undefined : element('p', { class: 'muted cause' }, cause),
		),
	);
}

function stateOf(word) {
	return words.has(word) ? createState(word, word.replace('_', ' ')) : element('span', {}, word);
}
