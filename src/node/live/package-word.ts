/** As live/page/editor/package-help.ts takes it. */
export interface PackageWord {
  readonly name: string;
  readonly kind: string;
  readonly of?: string;
  readonly signature: string;
  readonly about: string;
}
