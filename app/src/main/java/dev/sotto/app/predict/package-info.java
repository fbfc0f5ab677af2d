/** Files that score elsewhere; start with {@link dev.sotto.app.predict.ExportedModel}. */
package dev.sotto.app.predict;
