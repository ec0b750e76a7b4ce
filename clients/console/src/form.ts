import { useSignal } from '@preact/signals';
import { type ComponentChildren, createContext, h, type InputHTMLAttributes } from 'preact';
import { useContext, useRef } from 'preact/hooks';
import { failureText, fieldTexts } from './failures.ts';
import { t } from './language.ts';
import { endedBy } from './session.ts';

/** The values of a form by the names of its fields; a checkbox is `on` or absent. */
export type Values = Readonly<Record<string, string>>;

const FieldErrors = createContext<ReadonlyMap<string, string>>(new Map());

interface FormProps {
	/** Text of the button. */
	readonly action: string;
	/** @returns what to show after a success; undefined for nothing */
	readonly submit: (values: Values) => Promise<string | undefined>;
	/** Clears the fields after a success. */
	readonly clears?: boolean;
	readonly children?: ComponentChildren;
	/** Beside the button. */
	readonly beside?: ComponentChildren;
	readonly kind?: 'danger' | 'quiet';
}

/** A form that is sent once at a time, and shows what failed, at the field where possible. */
export function Form({ action, submit, clears = false, children, beside, kind }: FormProps) {
	const busy = useSignal(false);
	const done = useSignal('');
	const failed = useSignal('');
	const fields = useSignal<ReadonlyMap<string, string>>(new Map());
	const form = useRef<HTMLFormElement>(null);
	const send = async (event: Event): Promise<void> => {
		event.preventDefault();
		const sent = form.current;
		if (busy.value || sent === null) return;
		[busy.value, done.value, failed.value, fields.value] = [true, '', '', new Map()];
		try {
			const values = Object.fromEntries(
				Array.from(new FormData(sent), ([name, value]) => [name, String(value)]),
			);
			done.value = (await submit(values)) ?? '';
			if (clears) sent.reset();
		} catch (error) {
			if (!endedBy(error)) show(error);
		} finally {
			busy.value = false;
		}
	};
	const show = (error: unknown): void => {
		fields.value = fieldTexts(error);
		failed.value = fields.value.size > 0 ? t('checkFields') : failureText(error);
		const [first] = fields.value.keys();
		const input = first === undefined ? null : form.current?.elements.namedItem(first);
		if (input instanceof HTMLElement) input.focus();
	};
	return h(
		FieldErrors.Provider,
		{ value: fields.value },
		h(
			'form',
			{ class: 'form', ref: form, onSubmit: (event: Event) => void send(event), noValidate: false },
			children,
			h('p', { class: 'note', role: 'alert', 'data-error': true, hidden: failed.value === '' }, failed.value),
			h('p', { class: 'note', role: 'status', hidden: done.value === '' }, done.value),
			h(
				'div',
				{ class: 'buttons' },
				h(
					'button',
					{ type: 'submit', class: `button ${kind ?? 'primary'}`, disabled: busy.value },
					busy.value ? t('oneMoment') : action,
				),
				beside,
			),
		),
	);
}

interface FieldProps {
	readonly name: string;
	readonly label: string;
	readonly hint?: string | undefined;
	readonly type?: string;
	readonly autocomplete?: string;
	readonly required?: boolean;
	readonly minLength?: number;
	readonly maxLength?: number;
	readonly spellcheck?: boolean;
	readonly autocapitalize?: string;
	readonly inputMode?: string;
	readonly defaultValue?: string;
}

/** A labelled input with its hint and its error. */
export function Field({ name, label, hint, ...input }: FieldProps) {
	const error = useContext(FieldErrors).get(name);
	const id = `field-${name}`;
	const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
	return h(
		'div',
		{ class: 'field' },
		h('label', { for: id }, label),
		h('input', {
			...input,
			...{ id, name, 'aria-invalid': error !== undefined },
			...(described === '' ? {} : { 'aria-describedby': described }),
		} as InputHTMLAttributes<HTMLInputElement>),
		hint && h('p', { class: 'hint', id: `${id}-hint` }, hint),
		error && h('p', { class: 'hint', id: `${id}-error`, 'data-error': true }, error),
	);
}

interface ChoiceProps {
	readonly name: string;
	readonly label: string;
	readonly value?: string;
	readonly options: readonly (readonly [value: string, label: string])[];
}

export function Choice({ name, label, value, options }: ChoiceProps) {
	const id = `field-${name}`;
	return h(
		'div',
		{ class: 'field' },
		h('label', { for: id }, label),
		h(
			'select',
			{ id, name },
			options.map(([each, text]) => h('option', { value: each, selected: each === value }, text)),
		),
	);
}

interface CheckProps {
	readonly name: string;
	readonly label: string;
	readonly checked?: boolean;
}

export function Check({ name, label, checked = false }: CheckProps) {
	return h(
		'label',
		{ class: 'check' },
		h('input', { type: 'checkbox', name, defaultChecked: checked }),
		h('span', {}, label),
	);
}

/** Required attributes of fields of credentials. */
export const emailField = {
	name: 'email',
	type: 'email',
	autocomplete: 'username',
	required: true,
	maxLength: 254,
	spellcheck: false,
} as const;
export const newPasswordField = {
	type: 'password',
	autocomplete: 'new-password',
	required: true,
} as const;

/** For a code of an authenticator app, or a recovery code. */
export function CodeField({ hint }: { readonly hint: string }) {
	return h(Field, {
		...{ name: 'code', autocomplete: 'one-time-code', required: true, minLength: 6, maxLength: 60 },
		...{ spellcheck: false, autocapitalize: 'characters' },
		...{ label: t('code'), hint },
	});
}
