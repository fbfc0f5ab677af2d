/** What replays leave behind for people and programs. */
package dev.sotto.app.replay;
