/** The command line; start with {@link dev.sotto.app.Main}. */
package dev.sotto.app;
