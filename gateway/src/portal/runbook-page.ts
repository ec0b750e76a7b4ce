import { Marked } from 'marked';
import { type Deployment, navigation } from './deployment.ts';
import { operationsNavigation } from './operations-page.ts';
import { escapeHtml, pageFrame } from './page-frame.ts';

/** docs/operations.md as a page, so that the status page can link to its sections during an incident. */
export function runbookPage(deployment: Deployment, markdown: string): string {
	return pageFrame(deployment, {
		title: 'Runbook · Paddock',
		path: '/runbook',
		links: deployment.opsHere ? navigation(deployment) : operationsNavigation(deployment),
		styles: ['runbook.css'],
		scripts: [],
		facts: {},
		main: `<article class="runbook">${html(markdown)}</article>`,
	});
}

function html(markdown: string): string {
	const marked = new Marked({
		renderer: {
			heading({ tokens, depth, text }) {
				// As GitHub names its anchors, to which alerts link.
				const id = text
					.toLowerCase()
					.replaceAll(/[^\w -]/g, '')
					.replaceAll(' ', '-');
				return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
			},
			link({ href, tokens }) {
				const text = this.parser.parseInline(tokens);
				// The other documents are in the repository only.
				return /^(?:#|https:)/.test(href) ? `<a href="${escapeHtml(href)}">${text}</a>` : text;
			},
		},
	});
	// Wide tables and commands scroll by themselves, also with the keyboard.
	return marked
		.parse(markdown, { async: false })
		.replaceAll('<table>', '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>')
		.replaceAll('</table>', '</table></div>')
		.replaceAll('<pre>', '<pre tabindex="0">');
}
