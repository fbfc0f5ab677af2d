/** What the command line can do, one class a command; start with {@link dev.sotto.app.Main}. */
package dev.sotto.app.command;
