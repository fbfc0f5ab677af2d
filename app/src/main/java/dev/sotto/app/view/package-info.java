/**
 * How published records are shown, to people and to machines; start with
 * {@link dev.sotto.app.view.Json}.
 */
package dev.sotto.app.view;
