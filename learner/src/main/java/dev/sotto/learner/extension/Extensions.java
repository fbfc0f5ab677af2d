package dev.sotto.learner.extension;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The providers of one kind that are on the class path.
 *
 * @param byName those that can be used
 * @param faults why others cannot, each half a sentence: "must ..., but ..."
 */
public record Extensions<P extends Extension>(SortedMap<String, P> byName, List<String> faults) {
  private static final Pattern NAME = Pattern.compile("(?=.{1,60}$)[a-z][a-z0-9]*(-[a-z0-9]+)*");
  private static final int LONGEST_VERSION = 100;
  private static final int MOST_ERRORS = 100;

  public Extensions {
    byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
    faults = List.copyOf(faults);
  }

  /**
   * Looks with the thread's context class loader. Of two providers with one name, or with one of
   * Sotto's own, none is taken: which of them a model had learned with would depend on the order of
   * a class path.
   *
   * @param builtIn names that are taken
   */
  public static <P extends Extension> Extensions<P> find(Class<P> kind, Set<String> builtIn) {
    List<String> faults = new ArrayList<>();
    Map<String, P> found = new HashMap<>();
    Set<String> twice = new HashSet<>();
    for (P provider : load(kind, faults)) {
      String type = provider.getClass().getName();
      String name = name(provider, faults);
      if (name == null) {
        continue;
      }
      if (builtIn.contains(name)) {
        faults.add("must name one thing, but " + name + " is built in, and " + type
            + " has that name too; rename it");
      } else if (found.putIfAbsent(name, provider) != null) {
        twice.add(name);
        faults.add("must name one thing, but two providers are called " + name + ": "
            + found.get(name).getClass().getName() + " and " + type
            + "; remove one from the class path");
      }
    }
    found.keySet().removeAll(twice);
    return new Extensions<>(new TreeMap<>(found), faults);
  }

  /** The provider of a name. */
  public Optional<P> named(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  private static <P> List<P> load(Class<P> kind, List<String> faults) {
    List<P> providers = new ArrayList<>();
    Iterator<P> iterator = ServiceLoader.load(kind).iterator();
    for (int errors = 0; errors < MOST_ERRORS; ) {
      try {
        if (!iterator.hasNext()) {
          break;
        }
        providers.add(iterator.next());
      } catch (ServiceConfigurationError | LinkageError broken) {
        errors++;
        Throwable cause = broken.getCause() == null ? broken : broken.getCause();
        faults.add("must find providers that can be loaded, but: " + broken.getMessage()
            + (cause == broken ? "" : " (" + cause + ")"));
      }
    }
    return providers;
  }

  /** The name of a provider that says of itself what it must, or null after a fault. */
  private static String name(Extension provider, List<String> faults) {
    String type = provider.getClass().getName();
    String name;
    String version;
    try {
      name = provider.name();
      version = provider.version();
    } catch (RuntimeException | LinkageError | AssertionError broken) {
      faults.add("must find providers that say what they are, but " + type + " threw " + broken);
      return null;
    }
    if (name == null || !NAME.matcher(name).matches()) {
      faults.add("must find providers whose name is 1 to 60 of a-z 0-9 and single hyphens, but "
          + type + " is called " + (name == null ? "null" : quoted(name)));
      return null;
    }
    if (version == null
        || version.isBlank()
        || version.length() > LONGEST_VERSION
        || version.chars().anyMatch(Character::isISOControl)) {
      faults.add("must find providers whose version is 1 to " + LONGEST_VERSION
          + " printable characters, but that of " + type + " is "
          + (version == null ? "null" : quoted(version)));
      return null;
    }
    return name;
  }

  /** What to throw where a provider made nothing that can be used. */
  public static IllegalArgumentException unmade(Throwable broken) {
    boolean itsOwn =
        broken instanceof IllegalArgumentException || broken instanceof ExtensionException;
    return new IllegalArgumentException(
        itsOwn && broken.getMessage() != null ? broken.getMessage() : broken.toString(), broken);
  }

  /**
   * One line that tells the code and its parameters from any others: it goes into the fingerprint,
   * and of a loss into every published snapshot.
   */
  public static String text(Extension provider, Map<String, String> parameters) {
    StringBuilder text = new StringBuilder(provider.name());
    text.append("(version=").append(quoted(provider.version()));
    new TreeMap<>(parameters)
        .forEach((name, value) ->
            text.append(' ').append(quoted(name)).append('=').append(quoted(value)));
    return text.append(')').toString();
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.chars().forEach(c -> {
      if (c == '"' || c == '\\') {
        quoted.append('\\').append((char) c);
      } else if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029') {
        quoted.append(String.format("\\u%04x", c));
      } else {
        quoted.append((char) c);
      }
    });
    return quoted.append('"').toString();
  }

  /**
   * Judges what user code has thrown at a record. Returns where the record counts as unusable: it
   * must neither stop the learner nor tell by stopping it what it holds, not even where it was the
   * first to need a class that is missing.
   */
  public static void judge(Throwable thrown) {
    if (thrown instanceof VirtualMachineError machine && !(thrown instanceof StackOverflowError)) {
      throw machine;
    }
  }

  /**
   * Judges what user code has thrown at a public question, as it was made.
   *
   * @param what whose code it was, for the operator
   * @throws ExtensionException where the code cannot be linked, so that it would fail at every
   *     record
   */
  public static void requireLinked(String what, Throwable thrown) {
    if (thrown instanceof LinkageError) {
      throw new ExtensionException(
          what + " cannot be run: " + thrown
              + "; put everything that it needs on the class path, of the version that it was"
              + " compiled with",
          thrown);
    }
    judge(thrown);
  }
}
