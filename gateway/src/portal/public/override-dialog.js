import { element } from './element.js';

const choices = [
	['open', 'Force open', 'No request is admitted. Clients read the reason.'],
	['close', 'Force closed', 'Every request is admitted, whatever fails.'],
	['auto', 'Automatic', 'Ends the override: the breakers decide.'],
];

/** A dialog with which an administrator overrides breakers. `send` takes the override and rejects with a message. */
export function createOverrideDialog(send) {
	const { dialog, form, title, instances, reason, minutes, error, apply, cancel } = createParts();
	let context;
	cancel.addEventListener('click', () => dialog.close());
	form.addEventListener('change', () => {
		minutes.disabled = form.elements.action.value === 'auto';
	});
	form.addEventListener('submit', async (event) => {
		event.preventDefault();
		apply.disabled = true;
		error.textContent = '';
		try {
			await send({
				context,
				action: form.elements.action.value,
				instance: instances.value === '' ? undefined : instances.value,
				reason: reason.value.trim(),
				expiresInSeconds: minutes.disabled ? undefined : Number(minutes.value) * 60,
			});
			dialog.close();
		} catch (failure) {
			error.textContent = failure.message;
		}
		apply.disabled = false;
	});
	const open = (name, ids) => {
		context = name;
		form.reset();
		minutes.value = '60';
		minutes.disabled = false;
		error.textContent = '';
		title.textContent = `Override breakers of ${name}`;
		const all = element('option', { value: '' }, 'All instances');
		instances.replaceChildren(all, ...ids.map((id) => element('option', { value: id }, id)));
		dialog.showModal();
	};
	return { node: dialog, open };
}

function createParts() {
	const title = element('h2', { id: 'override-title' });
	const instances = element('select', { id: 'override-instance', name: 'instance' });
	const text = { maxlength: '200', autocomplete: 'off', required: true };
	const reason = element('input', { id: 'override-reason', name: 'reason', ...text });
	const whole = { type: 'number', min: '1', max: '1440', step: '1', required: true };
	const minutes = element('input', { id: 'override-minutes', name: 'minutes', ...whole });
	const error = element('p', { class: 'dialog-error', role: 'alert' });
	const apply = element('button', { type: 'submit', class: 'button primary' }, 'Apply');
	const cancel = element('button', { type: 'button', class: 'button' }, 'Cancel');
	const form = element(
		'form',
		{},
		title,
		element('fieldset', {}, element('legend', {}, 'Breakers'), ...choices.map((each) => choice(...each))),
		field('Instances', instances),
		field('Reason', reason),
		field('Minutes until it ends', minutes),
		error,
		element('div', { class: 'dialog-buttons' }, apply, cancel),
	);
	const dialog = element('dialog', { class: 'dialog', 'aria-labelledby': title.id }, form);
	return { dialog, form, title, instances, reason, minutes, error, apply, cancel };
}

function choice(value, label, hint) {
	const id = `override-${value}`;
	const input = element('input', { type: 'radio', name: 'action', id, value, checked: value === 'open' });
	return element(
		'label',
		{ class: 'choice', for: id },
		input,
		element('span', {}, element('strong', {}, label), element('span', { class: 'muted' }, ` ${hint}`)),
	);
}

function field(label, input) {
	return element('div', { class: 'field' }, element('label', { for: input.id }, label), input);
}
