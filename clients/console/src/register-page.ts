import { useSignal } from '@preact/signals';
import { h } from 'preact';
import { emailField, Field, Form, newPasswordField, type Values } from './form.ts';
import { language, t } from './language.ts';
import { paddock } from './session.ts';

export function RegisterPage() {
	const registered = useSignal<{ readonly email: string; readonly needsMail: boolean } | undefined>(
		undefined,
	);
	const register = async ({ email = '', password = '', firstName = '', lastName = '' }: Values) => {
		const locale = language.value === 'de' ? 'de-AT' : 'en';
		const body = { email, password, firstName, lastName, locale };
		const receipt = await paddock.post('/auth/register', { body });
		registered.value = { email: receipt.email, needsMail: receipt.verificationRequired };
		return undefined;
	};
	if (registered.value !== undefined) return h(Registered, registered.value);
	return h(
		'div',
		{ class: 'stack' },
		h(
			Form,
			{ action: t('register'), submit: register },
			h(Field, { name: 'firstName', label: t('firstName'), autocomplete: 'given-name', maxLength: 100 }),
			h(Field, {
				name: 'lastName',
				label: t('lastName'),
				autocomplete: 'family-name',
				required: true,
				maxLength: 100,
			}),
			h(Field, { ...emailField, label: t('email') }),
			h(Field, { ...newPasswordField, name: 'password', label: t('password'), hint: t('passwordHint') }),
		),
		h('p', {}, h('a', { href: '/app/sign-in' }, t('haveAccount'))),
	);
}

/** The same whether the address had an account: the mail tells its owner the rest. */
function Registered({ email, needsMail }: { readonly email: string; readonly needsMail: boolean }) {
	return h(
		'div',
		{ class: 'stack' },
		h('p', { class: 'note', role: 'status' }, needsMail ? t('mailSent', email) : t('registered', email)),
		needsMail && h(ResendVerification, { email }),
		h('p', {}, h('a', { class: 'button', href: '/app/sign-in' }, t('signIn'))),
	);
}

export function ResendVerification({ email }: { readonly email: string }) {
	const resend = async () => {
		await paddock.post('/auth/resend-verification', { body: { email } });
		return t('mailSentAgain');
	};
	return h(Form, { action: t('sendAgain'), submit: resend, kind: 'quiet' });
}
