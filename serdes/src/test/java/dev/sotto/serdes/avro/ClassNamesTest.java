package dev.sotto.serdes.avro;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.specific.SpecificData;
import org.junit.jupiter.api.Test;

/** No class is loaded by a name that stands in a schema or in data. */
class ClassNamesTest {
  private static final String NAME = "dev.sotto.serdes.record.NoSuchClass";
  private static final Schema SCHEMA = new Schema.Parser().parse("""
              {"type": "record", "name": "NoSuchClass", "namespace": "dev.sotto.serdes.record",
               "java-class": "%1$s", "fields": [
                {"name": "text", "type": {"type": "string", "java-class": "%1$s"}},
                {"name": "plain", "type": {"type": "string", "avro.java.string": "String"}},
                {"name": "map", "type": {"type": "map", "java-key-class": "%1$s", "values": "int"}}]}
              """.formatted(NAME));

  @Test
  void loadsNoClassNamedInASchemaOrInData() throws IOException {
    var asked = new Asked();
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(asked);
    try {
      var format = new SingleObject("NoSuchClass", SCHEMA, List.of());
      var record = new GenericData.Record(SCHEMA);
      record.put("text", NAME);
      record.put("plain", NAME);
      record.put("map", java.util.Map.of(NAME, 1));
      byte[] bytes = format.encode(record);
      assertThat(format.decode(bytes).get("text")).hasToString(NAME);
      assertThat(asked.count).isZero();

      // That the trap works: Avro's model of generated classes asks for it.
      var specific = new SpecificData(asked);
      new BinaryMessageDecoder<>(specific, SCHEMA).decode(bytes);
      assertThat(asked.count).isPositive();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Counts how often it was asked for the class. */
  private static final class Asked extends ClassLoader {
    private int count;

    Asked() {
      super(ClassNamesTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      count += name.equals(NAME) ? 1 : 0;
      return super.loadClass(name, resolve);
    }
  }
}
