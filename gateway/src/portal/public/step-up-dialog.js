import { element } from './element.js';

/**
 * A dialog that asks for the second factor before a sensitive operation. `stepUp(code)` confirms it and rejects with a message.
 * `confirm` resolves with whether it was confirmed.
 */
export function createStepUpDialog(stepUp) {
	const title = element('h2', { id: 'step-up-title' }, 'Confirm your second factor');
	const code = element('input', {
		id: 'step-up-code',
		autocomplete: 'one-time-code',
		spellcheck: 'false',
		required: true,
		minlength: '6',
		maxlength: '60',
	});
	const error = element('p', { class: 'dialog-error', role: 'alert' });
	const apply = element('button', { type: 'submit', class: 'button primary' }, 'Confirm');
	const cancel = element('button', { type: 'button', class: 'button' }, 'Cancel');
	const label = element('label', { for: code.id }, 'Code of your authenticator app, or a recovery code');
	const form = element(
		'form',
		{},
		title,
		element('p', { class: 'muted' }, 'The confirmation is valid for ten minutes.'),
		element('div', { class: 'field' }, label, code),
		error,
		element('div', { class: 'dialog-buttons' }, apply, cancel),
	);
	const dialog = element('dialog', { class: 'dialog', 'aria-labelledby': title.id }, form);
	let settle = () => {};
	cancel.addEventListener('click', () => dialog.close());
	dialog.addEventListener('close', () => settle(dialog.returnValue === 'confirmed'));
	form.addEventListener('submit', async (event) => {
		event.preventDefault();
		apply.disabled = true;
		error.textContent = '';
		try {
			await stepUp(code.value);
			dialog.close('confirmed');
		} catch (failure) {
			error.textContent = failure.message;
			code.focus();
		}
		// A code is accepted once.
		code.value = '';
		apply.disabled = false;
	});
	const confirm = () =>
		new Promise((resolve) => {
			settle = resolve;
			error.textContent = '';
			dialog.returnValue = '';
			dialog.showModal();
		});
	return { node: dialog, confirm };
}
