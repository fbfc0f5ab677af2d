package dev.sotto.app.command;

import java.util.Map;

/** What the whole command line is run in: the top of all commands has it. */
public interface Surroundings {
  /** All environment variables. */
  Map<String, String> environment();
}
