import { genericCodes } from './explorer-document.js';

/**
 * What Swagger UI leaves out for those who don't see it: lists without a name get one, and text that scrolls can be
 * reached with the keyboard. It draws again at any time, hence the observer.
 */
export function keepAccessible(root) {
	const complete = () => {
		for (const select of root.querySelectorAll('select:not([aria-label])')) {
			select.setAttribute('aria-label', nameOf(select));
		}
		const filter = root.querySelector('.operation-filter-input:not([aria-label])');
		filter?.setAttribute('aria-label', filterHint);
		filter?.setAttribute('placeholder', filterHint);
		for (const text of root.querySelectorAll('.microlight:not([tabindex]), .curl:not([tabindex])')) {
			text.setAttribute('tabindex', '0');
		}
	};
	new MutationObserver(complete).observe(root, { childList: true, subtree: true });
	complete();
}

const filterHint = 'Filter by tag, path or summary';

function nameOf(select) {
	const parameter = select.closest('[data-param-name]')?.dataset.paramName;
	if (parameter !== undefined) return parameter;
	return select.closest('.examples-select') === null ? 'Media type' : 'Example';
}

/** The description of the document, closed at first, with what any operation may respond. */
function conventions(Original, { React: { createElement: h } }) {
	return (props) => {
		const codes = genericCodes(props.specSelectors.specJson().toJS());
		return h(
			'details',
			{ className: 'conventions' },
			h('summary', {}, 'Conventions'),
			h(Original, props),
			h('h2', {}, 'Failures of any operation'),
			h(
				'dl',
				{},
				codes.map(([code, text]) =>
					h('div', { key: code }, h('dt', {}, h('code', {}, code)), h('dd', {}, text)),
				),
			),
		);
	};
}

/** It has one server, and a link inside the button of every operation, which a screen reader can't distinguish. */
export function accessibleParts() {
	return {
		wrapComponents: {
			ServersContainer: () => () => null,
			// The form above signs in.
			AuthorizeBtnContainer: () => () => null,
			authorizeBtn: () => () => null,
			authorizeOperationBtn: () => () => null,
			InfoContainer: conventions,
			DeepLink:
				(_original, system) =>
				({ text }) =>
					system.React.createElement('span', {}, text),
		},
	};
}
