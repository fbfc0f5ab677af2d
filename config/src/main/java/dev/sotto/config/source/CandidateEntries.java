package dev.sotto.config.source;

import dev.sotto.config.settings.CandidateKeys;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** The settings of candidates, taken out of those that all have in common. */
public final class CandidateEntries {
  private CandidateEntries() {}

  /**
   * Takes them out; what is wrong with their names is recorded.
   *
   * @param given all settings; those of candidates are removed
   * @return by candidate in the order of their names, without the beginning of the key
   */
  public static Map<String, Map<String, ConfigEntry>> take(
      Map<String, ConfigEntry> given, ConfigErrors errors) {
    Map<String, Map<String, ConfigEntry>> all = new TreeMap<>();
    new LinkedHashMap<>(given).forEach((key, entry) -> {
      if (key.startsWith(CandidateKeys.PREFIX)) {
        String rest = key.substring(CandidateKeys.PREFIX.length());
        int dot = rest.indexOf('.');
        String name = dot < 0 ? rest : rest.substring(0, dot);
        if (!CandidateKeys.isName(name)) {
          errors.add(
              key,
              "must name a candidate (" + CandidateKeys.nameRule() + "), but names \"" + name
                  + "\"");
        } else if (dot < 0) {
          errors.add(key, "must be a setting of candidate " + name + ": " + key + ".<key>");
        } else if (!CandidateKeys.mayDiffer(rest.substring(dot + 1))) {
          errors.add(
              key,
              "must be a setting of features, loss or algorithm, but is " + rest.substring(dot + 1)
                  + ", which all candidates share; set it for all");
        } else {
          all.computeIfAbsent(name, each -> new LinkedHashMap<>())
              .put(rest.substring(dot + 1), entry);
        }
      }
    });
    if (all.size() == 1 && errors.all().isEmpty()) {
      errors.add(
          CandidateKeys.PREFIX + all.keySet().iterator().next(),
          "must have company: candidates are two or more; give another one, or set the same for"
              + " the model itself");
    }
    if (all.size() > CandidateKeys.most()) {
      errors.add(
          CandidateKeys.PREFIX + "<name>",
          "must be at most " + CandidateKeys.most() + ", but are " + all.size()
              + ": each makes the noise of all larger");
    }
    given.keySet().removeIf(key -> key.startsWith(CandidateKeys.PREFIX));
    return all;
  }
}
