package dev.sotto.app.command;

import dev.sotto.learner.settings.NameSuggestion;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.MutuallyExclusiveArgsException;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * What is wrong with a command line: what must be, what was, and what to do. Messages of our own
 * commands are kept, those of picocli are put into this form.
 */
public final class WrongUsage {
  private static final Set<Class<?>> WHOLE =
      Set.of(int.class, Integer.class, long.class, Long.class, short.class, Short.class);
  private static final Set<Class<?>> FRACTIONS = Set.of(double.class, Double.class);
  private static final Pattern CONVERSION = Pattern.compile("(?s)Invalid value for .*?: (.*)");
  private static final Pattern NAMES = Pattern.compile("--?[A-Za-z][A-Za-z-]*");
  private static final int LONGEST = 60;

  private WrongUsage() {}

  /** What is said of it, in one sentence. */
  public static String of(ParameterException wrong, String[] arguments) {
    CommandSpec command = wrong.getCommandLine().getCommandSpec();
    if (wrong instanceof UnmatchedArgumentException unmatched
        && !command.subcommands().isEmpty()) {
      String first = unmatched.getUnmatched().get(0);
      if (!first.startsWith("-")) {
        return noCommand(command, first); // the options behind it are not this command's
      }
    }
    return UnknownOption.of(command, arguments).orElseGet(() -> text(wrong, command));
  }

  private static String text(ParameterException wrong, CommandSpec command) {
    String name = command.qualifiedName();
    if (wrong instanceof UnmatchedArgumentException unmatched) {
      return unmatched(unmatched.getUnmatched().get(0), command);
    }
    if (wrong instanceof MissingParameterException missing) {
      return missing(missing, name);
    }
    if (wrong instanceof OverwrittenOptionException twice) {
      return name(twice.getOverwritten()) + " must be given once, but was given again; leave one"
          + " out";
    }
    if (wrong instanceof MutuallyExclusiveArgsException) {
      return exclusive(wrong.getMessage());
    }
    if (wrong.getArgSpec() != null && wrong.getValue() != null) {
      return unconverted(wrong);
    }
    return wrong.getMessage();
  }

  private static String unmatched(String argument, CommandSpec command) {
    String name = command.qualifiedName();
    if (argument.startsWith("-")) {
      return "there is no option " + cut(argument) + " of " + name;
    }
    return name + " must have no further argument, but has " + cut(argument)
        + "; leave it out, or put what belongs together into quotes";
  }

  /** What is said of a command that there is not. */
  static String noCommand(CommandSpec above, String name) {
    return above.qualifiedName() + " has no command " + cut(name)
        + NameSuggestion.hint(NameSuggestion.of(name, above.subcommands().keySet()));
  }

  private static String missing(MissingParameterException wrong, String command) {
    List<ArgSpec> missing = wrong.getMissing();
    if (missing.isEmpty()) {
      List<String> names = names(wrong.getMessage());
      return names.isEmpty()
          ? wrong.getMessage()
          : command + " must be given " + String.join(" or ", names) + ", but has none of them; add"
              + " one";
    }
    if (wrong.getMessage().contains("parameter for option")
        && missing.get(0) instanceof OptionSpec option) {
      return option.longestName() + " must have a value, but has none; write "
          + option.longestName() + " " + label(option);
    }
    String all = missing.stream().map(WrongUsage::shown).collect(Collectors.joining(" and "));
    return command + " must be given " + all + ", but "
        + (missing.size() == 1 ? "was not; add it" : "was not; add them");
  }

  private static List<String> names(String message) {
    return NAMES.matcher(message).results().map(MatchResult::group).distinct().toList();
  }

  private static String exclusive(String message) {
    List<String> names = names(message);
    return names.size() < 2
        ? message
        : String.join(", ", names) + " must not stand together, but do; give one of them";
  }

  private static String unconverted(ParameterException wrong) {
    if (wrong.getArgSpec().arity().max() == 0) {
      return name(wrong.getArgSpec()) + " must stand without a value, but has "
          + cut(wrong.getValue()) + "; leave the value out";
    }
    Matcher said = CONVERSION.matcher(wrong.getMessage());
    String rule = said.matches() ? said.group(1) : wrong.getMessage();
    String must = rule.replaceFirst("^expected ", "must be ");
    if (must.startsWith("must ")) {
      return name(wrong.getArgSpec()) + " " + must;
    }
    return name(wrong.getArgSpec()) + " must be " + type(wrong.getArgSpec().type()) + ", but was "
        + cut(wrong.getValue());
  }

  private static String type(Class<?> type) {
    if (type.isEnum()) {
      return "one of "
          + Arrays.stream(type.getEnumConstants())
              .map(each -> each.toString().toLowerCase(Locale.ROOT))
              .collect(Collectors.joining(", "));
    }
    if (FRACTIONS.contains(type)) {
      return "a number";
    }
    return WHOLE.contains(type) ? "a whole number that is not too large" : "another value";
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : label(argument);
  }

  private static String shown(ArgSpec argument) {
    return argument instanceof OptionSpec option
        ? option.longestName() + " " + label(option)
        : label(argument);
  }

  private static String label(ArgSpec argument) {
    return argument.paramLabel();
  }

  private static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
  }
}
