package dev.sotto.app.init;

import dev.sotto.serdes.schema.FieldShape;
import dev.sotto.serdes.schema.FieldShape.Fields;
import dev.sotto.serdes.schema.FieldShape.OneOf;
import dev.sotto.serdes.schema.FieldShape.Plain;
import dev.sotto.serdes.schema.FieldShape.Unreadable;
import dev.sotto.serdes.schema.FieldShape.Words;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Puts the fields that a schema states into a sample. */
final class SchemaFields {
  private static final int DEEPEST = 16; // names of a path

  private final Sample sample;
  private final List<String> path = new ArrayList<>();
  private final Set<FieldShape> above = Collections.newSetFromMap(new IdentityHashMap<>());

  private SchemaFields(Sample sample) {
    this.sample = sample;
  }

  /** Puts those of a shape into a sample. */
  static void declare(Sample sample, FieldShape shape) {
    new SchemaFields(sample).declare(shape, true);
  }

  private void declare(FieldShape shape, boolean required) {
    if (shape instanceof Fields fields) {
      fields(fields, required);
    } else if (shape instanceof OneOf oneOf) {
      alternatives(oneOf, required && oneOf.branches().size() == 1);
    } else if (path.isEmpty()) {
      return; // no object
    } else if (shape instanceof Words words) {
      field(required).declare(FieldType.TEXT);
      field(required).symbols(words.words());
    } else if (shape instanceof Plain plain) {
      plain(plain, required);
    } else {
      field(required)
          .declareUnreadable(
              shape instanceof Unreadable other
                  ? other.words()
                  : "values by keys; name those that count, as in " + String.join(".", path)
                      + ".KEY");
    }
  }

  private void plain(Plain plain, boolean required) {
    SampleField field = field(required);
    switch (plain.kind()) {
      case NULL -> {}
      case WHOLE, FLOAT, DOUBLE -> field.declare(FieldType.NUMBER);
      case BOOLEAN -> field.declare(FieldType.BOOLEAN);
      case TEXT -> field.declare(FieldType.TEXT);
      case ANY -> field.declareUnreadable("of no stated type");
    }
  }

  private void alternatives(OneOf oneOf, boolean required) {
    if (above.add(oneOf)) {
      oneOf.branches().forEach(each -> declare(each, required));
      above.remove(oneOf);
    }
  }

  private void fields(Fields fields, boolean required) {
    if (path.size() >= DEEPEST || !above.add(fields)) {
      field(required).declareUnreadable("a record that holds itself");
      return;
    }
    fields.fields().forEach((name, each) -> {
      path.add(name);
      declare(each.shape(), required && each.always());
      path.remove(path.size() - 1);
    });
    above.remove(fields);
  }

  private SampleField field(boolean required) {
    SampleField field = sample.field(path);
    field.name();
    if (required) {
      field.require();
    }
    return field;
  }
}
