package dev.sotto.app.config;

import dev.sotto.learner.extension.Extension;
import dev.sotto.learner.extension.Extensions;
import dev.sotto.learner.loss.LossProvider;
import dev.sotto.serdes.event.EventDecoderProvider;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Users' own code of one kind, named by one key beside what is built in.
 *
 * @param key the key that names it
 * @param builtIn names of Sotto's own
 * @param words what it is called in sentences
 */
record Own<P extends Extension>(String key, Set<String> builtIn, String words, Class<P> kind) {
  static final String LOSS_PARAMETERS = "loss.parameters.";
  static final String EVENT_PARAMETERS = "events.parameters.";

  static final Own<LossProvider> LOSS =
      new Own<>("loss", inOrder(Goals.names()), "a loss of your own", LossProvider.class);
  static final Own<EventDecoderProvider> DECODER = new Own<>(
      "events.format",
      inOrder("json", "avro", "example"),
      "a decoder of your own",
      EventDecoderProvider.class);

  private static Set<String> inOrder(String... names) {
    return new LinkedHashSet<>(List.of(names));
  }

  /** Whether a name means something. */
  boolean knows(String name) {
    return builtIn.contains(name) || find().named(name).isPresent();
  }

  /** What there is instead of a name that means nothing. */
  String hint(String name) {
    Set<String> found = find().byName().keySet();
    List<String> all = new ArrayList<>(builtIn);
    all.addAll(found);
    return "; of your own there is "
        + (found.isEmpty() ? "none" : String.join(", ", found))
        + " on the class path"
        + (found.isEmpty() ? " (SOTTO_CLASSPATH, docs/extending.md)" : "")
        + Nearest.hint(Nearest.of(name, all));
  }

  /** The providers on the class path, looked up anew. */
  Extensions<P> find() {
    return Extensions.find(kind, builtIn);
  }

  /** Tells what is wrong with providers on the class path, used or not: one of them may be the one that was meant. */
  void check(Faults faults) {
    find().faults().forEach(fault -> faults.add(key, fault));
  }

  /** The settings below a key that ends with a dot, by the rest of their names. */
  static Map<String, String> parameters(Values values, String head) {
    Map<String, String> parameters = new TreeMap<>();
    for (String name : values.names(head)) {
      parameters.put(name, values.text(head + name));
    }
    return parameters;
  }
}
