import { lengthIssue, normalisableText } from '@paddock/service';
import { hasLongMarkRun, marksMax, withoutMarks, withUmlautsSpelledOut } from '@paddock/text';
import { z } from 'zod';
import { isListed } from './known-passwords.ts';

/** In code points. Long enough for any passphrase, short enough to bound the cost of one hash. */
const passwordLengthMax = 128;

/** Parts of a name shorter than this occur in too many innocent passwords. */
const ownWordLengthMin = 4;

/** A password that only repeats a unit of at most this length is rejected: aaaa…, abcabcabcabc. */
const repeatedUnitLengthMax = 4;

/** Shorter words between digits and signs are not checked; they are a minor part of a password: `4711-ab-9931-77`. */
const coreLengthMin = 4;

const walks: readonly string[] = [
	'abcdefghijklmnopqrstuvwxyz',
	'0123456789',
	'1234567890',
	'qwertyuiop',
	'qwertzuiop',
	'asdfghjkl',
	'zxcvbnm',
	'yxcvbnm',
	'qwertyuiopasdfghjklzxcvbnm',
	'qwertzuiopasdfghjklyxcvbnm',
	'1234567890qwertyuiop',
	'1234567890qwertzuiop',
].flatMap((row) => [row.repeat(13), [...row].reverse().join('').repeat(13)]);

/**
 * New password in a request body: NFKC, `lengthMin` to 128 code points of any kind, spaces included and not trimmed, no
 * composition rules (NIST SP 800-63B-4 §3.1.1.2), and not a common password.
 */
export function newPassword(lengthMin: number) {
	return normalisableText(lengthMin, passwordLengthMax)
		.transform((value) => value.normalize('NFKC'))
		.superRefine((value, context) => {
			const length = [...value].length;
			if (length < lengthMin || length > passwordLengthMax) {
				context.addIssue(lengthIssue(lengthMin, passwordLengthMax));
			} else if (isCommonPassword(value)) {
				context.addIssue({ code: 'custom', message: 'is a commonly used password' });
			}
		})
		.meta({
			type: 'string',
			format: 'password',
			minLength: lengthMin,
			maxLength: passwordLengthMax,
			description:
				'New password: any characters; common passwords and the own name or e-mail address are refused.',
		});
}

/** Password for a sign-in: the current rules for new passwords don't apply, it only has to be comparable. */
export const givenPassword = z
	.string('must be text')
	.min(1, 'must not be empty')
	.max(1_024, 'must have at most 1024 characters')
	.refine((value) => !hasLongMarkRun(value), `must not have more than ${marksMax} combining marks in a row`)
	.meta({ format: 'password', description: 'Present password of the account.' });

/**
 * Whether a guesser would try the password early. Compared without case and diacritics, umlauts also spelled out, it is
 * common if
 * - it is listed (see `isListed`), as it is or without the digits and signs around it (`Passwort-2026!`), or
 * - it repeats such a listed text (`passwortpasswort1`), or up to four characters (`abcabcabcabc`), or
 * - one listed word is all that is between its digits and signs (`Sommer2024Sommer2025`), or
 * - it walks along the alphabet, the digits or a row of the keyboard, forwards or backwards, or along two of them
 * interleaved.
 */
export function isCommonPassword(password: string): boolean {
	return [withoutMarks(password), withUmlautsSpelledOut(password)].some(isCommon);
}

function isCommon(folded: string): boolean {
	const wholes = [folded, coreOf(folded)];
	const units = wholes.map(repeatedUnit).filter((unit) => unit !== undefined);
	if (isListed(folded) || [...wholes, ...units].some((text) => isListedWord(coreOf(text)))) return true;
	const [unit] = units;
	if (unit !== undefined && (unit.length <= repeatedUnitLengthMax || isListed(unit))) return true;
	return isOneWord(folded) || isWalk(folded) || isInterleavedWalk(folded);
}

/** Without the digits and signs around it. */
function coreOf(folded: string): string {
	return folded.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
}

function isListedWord(word: string): boolean {
	return word.length >= coreLengthMin && isListed(word);
}

/** Whether the runs of letters are all the same listed word, each once or several times. */
function isOneWord(folded: string): boolean {
	const runs = folded.split(/[^\p{L}]+/u).filter((run) => run !== '');
	const words = new Set(runs.map((run) => repeatedUnit(run) ?? run));
	const [word = ''] = words;
	return words.size === 1 && isListedWord(word);
}

function isWalk(text: string): boolean {
	return walks.some((walk) => walk.includes(text));
}

/** Two walks whose characters alternate, such as `1q2w3e4r5t6z`. */
function isInterleavedWalk(text: string): boolean {
	const characters = [...text];
	return [0, 1].every((offset) => isWalk(characters.filter((_, index) => index % 2 === offset).join('')));
}

/** The shortest unit that fills a text by repetition, at least twice; the last repetition may be incomplete. */
function repeatedUnit(text: string): string | undefined {
	for (let length = 1; length <= text.length / 2; length += 1) {
		if (text.startsWith(text.slice(length))) return text.slice(0, length);
	}
	return undefined;
}

/** Owner whose e-mail address and names a password must not contain. */
interface PasswordOwner {
	readonly email: string;
	readonly firstName: string;
	readonly lastName: string;
}

/**
 * Whether the password contains the owner's e-mail address, its part before the @, a name, or a part of these, of at
 * least four letters or digits. Compared without case, diacritics, and characters other than letters and digits.
 */
export function holdsOwnName(password: string, owner: PasswordOwner): boolean {
	const [local = ''] = owner.email.split('@');
	const names = [local, owner.firstName, owner.lastName];
	const words = [owner.email, ...names, ...names.flatMap((name) => name.split(notAlphanumeric))]
		.flatMap(spellings)
		.filter((word) => [...word].length >= ownWordLengthMin);
	return spellings(password).some((plain) => words.some((word) => plain.includes(word)));
}

const notAlphanumeric = /[^\p{L}\p{N}\p{M}]+/u;

function spellings(text: string): string[] {
	return [withoutMarks(text), withUmlautsSpelledOut(text)].map((spelling) =>
		spelling.split(notAlphanumeric).join(''),
	);
}
