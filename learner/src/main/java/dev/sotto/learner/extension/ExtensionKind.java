package dev.sotto.learner.extension;

import dev.sotto.learner.settings.ConfigKey;
import dev.sotto.learner.settings.Domain;
import dev.sotto.learner.settings.NameSuggestion;
import dev.sotto.learner.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * User code of one kind, which a setting names beside what is built in.
 *
 * @param type of the providers
 * @param builtIn names of what is built in, in the order of the manual
 * @param words what one is called in sentences
 */
public record ExtensionKind<P extends Extension>(
    Class<P> type, List<String> builtIn, String words) {
  private static final int LONGEST_PARAMETER = 1000;

  /** The providers on the class path, looked up anew. */
  public Extensions<P> find() {
    return Extensions.find(type, Set.copyOf(builtIn));
  }

  /** What is built in, or the name of a provider on the class path. */
  public Domain<String> names() {
    return Domain.text(
            "one of " + String.join(", ", builtIn) + ", or the name of " + words,
            name -> builtIn.contains(name) || find().named(name).isPresent())
        .withHint(this::hint);
  }

  private String hint(String name) {
    Set<String> found = find().byName().keySet();
    List<String> all = new ArrayList<>(builtIn);
    all.addAll(found);
    return "; of your own there is "
        + (found.isEmpty() ? "none" : String.join(", ", found))
        + " on the class path"
        + (found.isEmpty() ? " (SOTTO_CLASSPATH, docs/extending.md)" : "")
        + NameSuggestion.hint(NameSuggestion.of(name, all));
  }

  /** Values that user code reads. */
  public static Domain<String> parameters() {
    return Domain.text(
        "1 to " + LONGEST_PARAMETER + " characters, none of them a control character",
        value -> !value.isEmpty()
            && value.length() <= LONGEST_PARAMETER
            && value.chars().noneMatch(Character::isISOControl));
  }

  /** That a setting names user code. */
  public ConfigKey.Condition<String> isNamedBy(ConfigKey<String> key) {
    return new ConfigKey.Condition<>(key, name -> !builtIn.contains(name), words);
  }

  /**
   * Records what is wrong with providers on the class path, used or not: one may be the one that
   * was meant.
   */
  public void check(Settings settings, ConfigKey<String> key) {
    find().faults().forEach(fault -> settings.reject(key, fault));
  }

  /** The provider that a setting names. */
  public P named(String name) {
    return find().named(name).orElseThrow();
  }

  /** The settings of a family, by the free parts of their names. */
  public static Map<String, String> parameters(Settings settings, ConfigKey<String> family) {
    Map<String, String> parameters = new TreeMap<>();
    for (String name : settings.names(family)) {
      parameters.put(name, settings.get(family.named(name)));
    }
    return parameters;
  }
}
