export function fullName({
	firstName,
	lastName,
}: {
	readonly firstName: string;
	readonly lastName: string;
}): string {
	return firstName === '' ? lastName : `${firstName} ${lastName}`;
}
