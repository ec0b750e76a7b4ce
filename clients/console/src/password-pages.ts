import { h } from 'preact';
import { emailField, Field, Form, newPasswordField, type Values } from './form.ts';
import { t } from './language.ts';
import { mailToken } from './navigation.ts';
import { endSession, leaveWith, paddock } from './session.ts';
import { LinkIncomplete } from './verify-pages.ts';

export function ForgotPasswordPage() {
	const request = async ({ email = '' }: Values) => {
		const receipt = await paddock.post('/auth/forgot-password', { body: { email } });
		return t('resetSent', receipt.email);
	};
	return h(
		'div',
		{ class: 'stack' },
		h('p', {}, t('forgotText')),
		h(Form, { action: t('sendLink'), submit: request }, h(Field, { ...emailField, label: t('email') })),
		h('p', {}, h('a', { href: '/app/sign-in' }, t('backToSignIn'))),
	);
}

/** Of a forgotten password, or of an invitation. */
export function ResetPasswordPage() {
	const reset = async ({ newPassword = '' }: Values): Promise<undefined> => {
		// The session here may be of another account, which would stay signed in.
		await endSession();
		await paddock.post('/auth/reset-password', { body: { token: mailToken.value, newPassword } });
		await leaveWith('passwordSet');
		mailToken.value = '';
	};
	if (mailToken.value === '') return h(LinkIncomplete, {});
	return h(
		Form,
		{ action: t('setPassword'), submit: reset },
		h(Field, { ...newPasswordField, name: 'newPassword', label: t('newPassword'), hint: t('passwordHint') }),
	);
}
