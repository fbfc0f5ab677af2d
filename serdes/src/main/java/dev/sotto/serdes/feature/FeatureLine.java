package dev.sotto.serdes.feature;

import static dev.sotto.serdes.feature.CanonicalText.number;
import static dev.sotto.serdes.feature.CanonicalText.quoted;
import static dev.sotto.serdes.feature.CanonicalWords.named;
import static dev.sotto.serdes.feature.CanonicalWords.number;
import static dev.sotto.serdes.feature.CanonicalWords.only;
import static dev.sotto.serdes.feature.CanonicalWords.require;
import static dev.sotto.serdes.feature.CanonicalWords.unquoted;

import dev.sotto.learner.example.NormRule;
import dev.sotto.learner.range.NumberForm;
import dev.sotto.learner.range.NumberRange;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The grammar of the canonical text of a feature map (docs/wire-format.md, "The feature map"): the
 * lines in the order in which they are written, and of each how it is written and how it is read.
 */
enum FeatureLine {
  BIAS("bias") {
    @Override
    Stream<String> write(FeatureMapBuilder from) {
      return Stream.of("bias " + from.bias);
    }

    @Override
    void read(List<String> rest, FeatureMapBuilder into) {
      into.bias(named(BOTH, String::valueOf, only(rest)));
    }
  },
  NORM("norm") {
    @Override
    Stream<String> write(FeatureMapBuilder from) {
      return Stream.of("norm " + from.norm.word());
    }

    @Override
    void read(List<String> rest, FeatureMapBuilder into) {
      into.norm(named(NormRule.values(), NormRule::word, only(rest)));
    }
  },
  HASH("hash") {
    @Override
    Stream<String> write(FeatureMapBuilder from) {
      return from.hashed.isEmpty() ? Stream.of() : Stream.of("hash " + HASHING + from.bits);
    }

    @Override
    void read(List<String> rest, FeatureMapBuilder into) {
      String line = String.join(" ", rest);
      require(rest.size() == 4 && line.startsWith(HASHING));
      into.hashBits(Integer.parseInt(rest.get(3)));
    }
  },
  COMMA("comma") {
    @Override
    Stream<String> write(FeatureMapBuilder from) {
      return from.comma == NumberComma.NONE ? Stream.of() : Stream.of("comma " + from.comma.word());
    }

    @Override
    void read(List<String> rest, FeatureMapBuilder into) {
      into.comma(named(NumberComma.values(), NumberComma::word, only(rest)));
    }
  },
  MISSING("missing") {
    @Override
    Stream<String> write(FeatureMapBuilder from) {
      return from.missing == MissingMarks.NONE
          ? Stream.of()
          : Stream.of("missing " + from.missing.word());
    }

    @Override
    void read(List<String> rest, FeatureMapBuilder into) {
      into.missing(named(MissingMarks.values(), MissingMarks::word, only(rest)));
    }
  },
  HATS("hats") {
    @Override
    Stream<String> write(FeatureMapBuilder from) {
      boolean none = from.numerics.isEmpty() || from.hats.intervals() == 0;
      return none ? Stream.of() : Stream.of("hats " + from.hats.intervals());
    }

    @Override
    void read(List<String> rest, FeatureMapBuilder into) {
      into.hats(Integer.parseInt(only(rest)));
    }
  },
  NUMERIC("numeric") {
    @Override
    Stream<String> write(FeatureMapBuilder from) {
      return from.numerics.stream()
          .map(each -> String.join(
              " ",
              "numeric",
              each.name(),
              quoted(each.field()),
              number(each.min()),
              number(each.max()),
              each.transform().word(),
              need(each.optional())));
    }

    @Override
    void read(List<String> rest, FeatureMapBuilder into) {
      require(rest.size() == 6);
      into.numeric(
          rest.get(0),
          unquoted(rest.get(1)),
          number(rest.get(2)),
          number(rest.get(3)),
          named(Transform.values(), Transform::word, rest.get(4)),
          optional(rest.get(5)));
    }
  },
  /** Numbers without bounds, by their octaves alone or by their measured ranges too. */
  UNBOUNDED("unbounded") {
    @Override
    Stream<String> write(FeatureMapBuilder from) {
      return from.unbounded.stream()
          .map(each -> String.join(
              " ",
              word,
              each.name(),
              quoted(each.field()),
              from.form.word(),
              need(each.optional())));
    }

    @Override
    void read(List<String> rest, FeatureMapBuilder into) {
      require(rest.size() == 4);
      NumberForm form = named(NumberForm.values(), NumberForm::word, rest.get(2));
      require(into.unbounded.isEmpty() || into.form == form);
      into.form(form);
      into.unbounded(rest.get(0), unquoted(rest.get(1)), optional(rest.get(3)));
    }
  },
  /** Of published models only: what was measured of a number without bounds. */
  RANGE("range") {
    @Override
    Stream<String> write(FeatureMapBuilder from) {
      return from.ranges.entrySet().stream().map(each -> range(each.getKey(), each.getValue()));
    }

    @Override
    void read(List<String> rest, FeatureMapBuilder into) {
      into.range(rest.get(0), measuredRange(rest.subList(1, rest.size())));
    }
  },
  /** Categories and crosses, in one order: they share their coordinates. */
  CATEGORICAL("categorical") {
    @Override
    Stream<String> write(FeatureMapBuilder from) {
      return from.hashed.stream()
          .map(each -> (each.cross() ? CROSS.word : word) + " " + each.name()
              + quotedAll(each.fields()) + " " + need(each.optional()));
    }

    @Override
    void read(List<String> rest, FeatureMapBuilder into) {
      into.categorical(rest.get(0), only(hashedFields(rest)), optional(last(rest)));
    }
  },
  CROSS("cross") {
    /** With the categories. */
    @Override
    Stream<String> write(FeatureMapBuilder from) {
      return Stream.of();
    }

    @Override
    void read(List<String> rest, FeatureMapBuilder into) {
      into.cross(rest.get(0), hashedFields(rest), optional(last(rest)));
    }
  },
  LABEL("label") {
    @Override
    Stream<String> write(FeatureMapBuilder from) {
      return Stream.of("label " + quoted(from.labelField) + " " + rule(from.labelRule));
    }

    private String rule(LabelRule rule) {
      if (rule instanceof LabelRule.Threshold above) {
        return "threshold " + number(above.threshold());
      }
      if (rule instanceof LabelRule.Classes classes) {
        return "classes"
            + quotedAll(classes.positive().stream().distinct().sorted().toList());
      }
      if (rule instanceof LabelRule.Names names) {
        return "names" + quotedAll(names.names());
      }
      if (rule instanceof LabelRule.Range range) {
        return "range " + number(range.min()) + " " + number(range.max());
      }
      return rule instanceof LabelRule.Measured ? "measured" : "as-it-is";
    }

    @Override
    void read(List<String> rest, FeatureMapBuilder into) {
      into.label(unquoted(rest.get(0)), rule(rest.get(1), rest.subList(2, rest.size())));
    }

    private LabelRule rule(String kind, List<String> values) {
      return switch (kind) {
        case "as-it-is" -> {
          require(values.isEmpty());
          yield new LabelRule.AsItIs();
        }
        case "measured" -> {
          require(values.isEmpty());
          yield new LabelRule.Measured();
        }
        case "threshold" -> new LabelRule.Threshold(number(only(values)));
        case "classes" -> new LabelRule.Classes(unquoted(values));
        case "names" -> new LabelRule.Names(unquoted(values));
        case "range" -> {
          require(values.size() == 2);
          yield new LabelRule.Range(number(values.get(0)), number(values.get(1)));
        }
        default -> throw new IllegalArgumentException("no such rule of a label");
      };
    }
  },
  /** Of published models only: what was measured of the label. */
  LABEL_RANGE("label-range") {
    @Override
    Stream<String> write(FeatureMapBuilder from) {
      return Stream.ofNullable(from.labelRange).map(FeatureLine::labelRange);
    }

    @Override
    void read(List<String> rest, FeatureMapBuilder into) {
      into.labelRange(measuredRange(rest));
    }
  },
  WEIGHT("weight") {
    @Override
    Stream<String> write(FeatureMapBuilder from) {
      boolean isCut = from.largestWeight < Double.POSITIVE_INFINITY;
      return Stream.ofNullable(from.weightField)
          .map(field ->
              "weight " + quoted(field) + (isCut ? " max " + number(from.largestWeight) : ""));
    }

    @Override
    void read(List<String> rest, FeatureMapBuilder into) {
      if (rest.size() == 1) {
        into.weight(unquoted(rest.get(0)));
      } else {
        require(rest.size() == 3 && rest.get(1).equals("max"));
        into.weight(unquoted(rest.get(0)), number(rest.get(2)));
      }
    }
  },
  UNIT("unit") {
    @Override
    Stream<String> write(FeatureMapBuilder from) {
      return from.unitFromKey
          ? Stream.of("unit key")
          : Stream.of(from.unitFields)
              .filter(fields -> !fields.isEmpty())
              .map(fields -> "unit field "
                  + fields.stream().map(each -> quoted(each)).collect(Collectors.joining(" ")));
    }

    @Override
    void read(List<String> rest, FeatureMapBuilder into) {
      if (rest.equals(List.of("key"))) {
        into.unitFromKey();
      } else {
        require(rest.size() >= 2 && rest.get(0).equals("field"));
        into.unitFields(rest.stream().skip(1).map(each -> unquoted(each)).toList());
      }
    }
  };

  private static final Boolean[] BOTH = {true, false};

  /** The hash of categories, which is the same in all maps. */
  private static final String HASHING =
      "murmur3 " + Integer.toHexString(HashedFeature.SEED) + " bits ";

  final String word;

  FeatureLine(String word) {
    this.word = word;
  }

  /** The lines of a map, none where it says nothing of the kind. */
  abstract Stream<String> write(FeatureMapBuilder from);

  /**
   * Takes in the words behind the first.
   *
   * @throws IllegalArgumentException or IndexOutOfBoundsException where they are not of the form
   */
  abstract void read(List<String> rest, FeatureMapBuilder into);

  /** That which begins with a word. */
  static Optional<FeatureLine> of(String word) {
    return Stream.of(values()).filter(each -> each.word.equals(word)).findFirst();
  }

  private static String need(boolean optional) {
    return optional ? "optional" : "required";
  }

  private static boolean optional(String word) {
    return named(BOTH, FeatureLine::need, word);
  }

  /** The line of a range that was measured. */
  static String range(String name, NumberRange range) {
    return RANGE.word + " " + name + " " + words(range);
  }

  /** The line of the label's range. */
  static String labelRange(NumberRange range) {
    return LABEL_RANGE.word + " " + words(range);
  }

  private static String words(NumberRange range) {
    return String.join(" ", range.state().word(), number(range.lo()), number(range.hi()));
  }

  private static NumberRange measuredRange(List<String> words) {
    require(words.size() == 3);
    NumberRange.State state =
        named(NumberRange.State.values(), NumberRange.State::word, words.get(0));
    return new NumberRange(state, number(words.get(1)), number(words.get(2)));
  }

  private static String last(List<String> words) {
    return words.get(words.size() - 1);
  }

  private static List<String> hashedFields(List<String> rest) {
    return unquoted(rest.subList(1, rest.size() - 1));
  }

  private static String quotedAll(List<String> texts) {
    StringBuilder all = new StringBuilder();
    texts.forEach(each -> all.append(' ').append(quoted(each)));
    return all.toString();
  }
}
