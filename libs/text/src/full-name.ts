/** First and last name; a person with one name has no first name. */
export function fullName({
	firstName,
	lastName,
}: {
	readonly firstName: string;
	readonly lastName: string;
}): string {
	return firstName === '' ? lastName : `${firstName} ${lastName}`;
}
