import type { components } from '@paddock/client';
import { h } from 'preact';
import { Check, Choice, Field, Form, newPasswordField, type Values } from './form.ts';
import { chooseLanguage, t } from './language.ts';
import { ResendVerification } from './register-page.ts';
import { paddock, user } from './session.ts';

const mailKinds = ['ENTRIES', 'EVENTS', 'HORSES', 'MEMBERSHIP', 'REMINDERS'] as const;

export function ProfilePage() {
	const own = user.value;
	if (own === undefined) return null;
	return h(
		'div',
		{ class: 'stack wide-gap' },
		own.emailVerifiedAt === null &&
			h(
				'section',
				{ class: 'note', 'aria-label': t('verifyAddress') },
				h('p', {}, t('notVerified', own.email)),
				h(ResendVerification, { email: own.email }),
			),
		h(OwnData, { own }),
		h(ChangeAddress, { own }),
		h(ChangePassword, {}),
	);
}

type Own = { readonly own: components['schemas']['User'] };

function OwnData({ own }: Own) {
	const save = async ({
		firstName = '',
		lastName = '',
		phoneNumber = '',
		locale = '',
		...others
	}: Values) => {
		const switchedOffMails = mailKinds.filter((kind) => others[kind] === undefined);
		const phone = phoneNumber.trim() === '' ? null : phoneNumber;
		const body = { firstName, lastName, phoneNumber: phone, locale, switchedOffMails };
		user.value = await paddock.patch('/auth/profile', { body, ifMatch: own });
		chooseLanguage(locale.startsWith('de') ? 'de' : 'en');
		return t('saved');
	};
	const isWanted = (kind: (typeof mailKinds)[number]) => !own.switchedOffMails.includes(kind);
	const languages = [
		['de-AT', 'Deutsch'],
		['en', 'English'],
	] as const;
	return h(
		'section',
		{ 'aria-labelledby': 'own-data' },
		h('h2', { id: 'own-data' }, t('ownData')),
		h(
			Form,
			{ action: t('save'), submit: save },
			h(Field, {
				name: 'firstName',
				label: t('firstName'),
				defaultValue: own.firstName,
				autocomplete: 'given-name',
				maxLength: 100,
			}),
			h(Field, {
				name: 'lastName',
				label: t('lastName'),
				defaultValue: own.lastName,
				autocomplete: 'family-name',
				required: true,
				maxLength: 100,
			}),
			h(Field, {
				name: 'phoneNumber',
				type: 'tel',
				label: t('phone'),
				defaultValue: own.phoneNumber ?? '',
				autocomplete: 'tel',
				maxLength: 40,
			}),
			h(Choice, {
				name: 'locale',
				label: t('language'),
				value: own.locale.startsWith('de') ? 'de-AT' : 'en',
				options: languages,
			}),
			h(
				'fieldset',
				{},
				h('legend', {}, t('mailsAbout')),
				mailKinds.map((kind) => h(Check, { name: kind, label: t(`mail.${kind}`), checked: isWanted(kind) })),
			),
		),
	);
}

function ChangeAddress({ own }: Own) {
	const change = async ({ newEmail = '', currentPassword = '' }: Values) => {
		await paddock.post('/auth/change-email', { body: { newEmail, currentPassword } });
		return t('confirmBoth', newEmail);
	};
	return h(
		'section',
		{ 'aria-labelledby': 'address' },
		h('h2', { id: 'address' }, t('email')),
		h('p', {}, own.email),
		h(
			Form,
			{ action: t('changeAddress'), submit: change, clears: true },
			h(Field, {
				name: 'newEmail',
				type: 'email',
				autocomplete: 'email',
				required: true,
				maxLength: 254,
				label: t('newAddress'),
			}),
			h(Field, {
				...{ name: 'currentPassword', type: 'password', autocomplete: 'current-password', required: true },
				label: t('currentPassword'),
			}),
		),
	);
}

function ChangePassword() {
	const change = async (values: Values) => {
		const { currentPasswordAgain: currentPassword = '', newPassword = '' } = values;
		user.value = await paddock.post('/auth/change-password', { body: { currentPassword, newPassword } });
		return t('passwordChanged');
	};
	return h(
		'section',
		{ 'aria-labelledby': 'password' },
		h('h2', { id: 'password' }, t('password')),
		h(
			Form,
			{ action: t('changePassword'), submit: change, clears: true },
			h(Field, {
				...{
					name: 'currentPasswordAgain',
					type: 'password',
					autocomplete: 'current-password',
					required: true,
				},
				label: t('currentPassword'),
			}),
			h(Field, {
				...newPasswordField,
				name: 'newPassword',
				label: t('newPassword'),
				hint: t('passwordHint'),
			}),
		),
	);
}
