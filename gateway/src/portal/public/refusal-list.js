import { element, showIn } from './element.js';

/** The most frequent error codes of the gateway's own responses. */
export function showRefusals(list, none, refusals) {
	none.hidden = refusals.length > 0;
	list.hidden = refusals.length === 0;
	showIn(list, refusals, (all) =>
		all.map(({ code, count }) =>
			element('li', {}, element('code', {}, code), element('span', {}, String(count))),
		),
	);
}
