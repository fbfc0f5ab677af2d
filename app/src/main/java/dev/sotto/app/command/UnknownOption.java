package dev.sotto.app.command;

import dev.sotto.learner.settings.NameSuggestion;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * An option that a command does not have. Picocli reports first what is missing, although what is
 * missing may only be misspelled.
 */
final class UnknownOption {
  private UnknownOption() {}

  /** What is said of the first one; empty where there is none. */
  static Optional<String> of(CommandSpec command, String[] arguments) {
    boolean value = false; // whether an option before takes it
    for (String each : arguments) {
      if (each.equals("--") && !value) {
        return Optional.empty();
      }
      OptionSpec known = command.optionsMap().get(name(each));
      if (!value && known == null && each.startsWith("--")) {
        return Optional.of("there is no option " + name(each) + " of "
            + command.qualifiedName()
            + NameSuggestion.hint(NameSuggestion.of(name(each), names(command))));
      }
      value = !value && known != null && known.arity().min() > 0 && !each.contains("=");
    }
    return Optional.empty();
  }

  private static String name(String argument) {
    int end = argument.indexOf('=');
    return end < 0 ? argument : argument.substring(0, end);
  }

  private static List<String> names(CommandSpec command) {
    return command.options().stream()
        .filter(each -> !each.hidden())
        .map(OptionSpec::longestName)
        .filter(each -> each.startsWith("--"))
        .toList();
  }
}
