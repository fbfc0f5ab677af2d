package dev.sotto.serdes.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SchemaHeadersTest {
  private static final byte[] BODY = {0, 7, 8};

  private static byte[] framed(String header, byte... id) {
    return SchemaIds.CONFLUENT.framed(Map.of(header, id)::get, BODY);
  }

  private static byte[] eight(long id) {
    return ByteBuffer.allocate(8).putLong(id).array();
  }

  @Test
  void putsTheIdOfAHeaderBeforeTheBody() {
    assertThat(framed(SchemaHeaders.CONFLUENT, new byte[] {0, 0, 0, 1, 2}))
        .containsExactly(0, 0, 0, 1, 2, 0, 7, 8);
    byte[] guid = new byte[17];
    guid[0] = 1;
    guid[16] = 9;
    assertThat(framed(SchemaHeaders.CONFLUENT, guid))
        .startsWith(guid)
        .endsWith(BODY)
        .hasSize(20);
    assertThat(framed(SchemaHeaders.CONTENT_ID, eight(258)))
        .containsExactly(0, 0, 0, 1, 2, 0, 7, 8);
  }

  /** Which message of its schema a Protobuf body is, stands before the body too. */
  @Test
  void putsTheMessageOfAHeaderBeforeTheBody() {
    byte[] first = framed(SchemaHeaders.CONFLUENT, new byte[] {0, 0, 0, 1, 2, 0});
    assertThat(first).containsExactly(2, 0, 0, 1, 2, 0, 0, 7, 8);
    assertThat(SchemaHeaders.bodyOf(SchemaIds.CONFLUENT, first, true)).isEqualTo(5);
    assertThat(SchemaHeaders.bodyOf(SchemaIds.CONFLUENT, first, false))
        .as("of Avro")
        .isEqualTo(-1);
    byte[] guid = new byte[19];
    guid[0] = 1;
    byte[] second = framed(SchemaHeaders.CONFLUENT, guid);
    assertThat(second[0]).isEqualTo((byte) 3);
    assertThat(SchemaHeaders.bodyOf(SchemaIds.CONFLUENT, second, true)).isEqualTo(17);
    Map<String, byte[]> apicurio =
        Map.of(SchemaHeaders.CONTENT_ID, eight(258), SchemaHeaders.MESSAGE, new byte[] {'M', 's'});
    byte[] named = SchemaIds.CONFLUENT.framed(apicurio::get, BODY);
    assertThat(named).containsExactly(4, 0, 0, 1, 2, 2, 'M', 's', 0, 7, 8);
    byte[] longer = new byte[200]; // a name of 128 bytes or more has two bytes of length
    Arrays.fill(longer, (byte) 'M');
    Map<String, byte[]> longNamed =
        Map.of(SchemaHeaders.CONTENT_ID, eight(258), SchemaHeaders.MESSAGE, longer);
    assertThat(SchemaIds.CONFLUENT.framed(longNamed::get, BODY))
        .startsWith(4, 0, 0, 1, 2, 0xC8, 1, 'M')
        .hasSize(7 + 200 + BODY.length);
    assertThat(SchemaHeaders.isNamed(named)).isTrue();
    assertThat(SchemaHeaders.bodyOf(SchemaIds.CONFLUENT, named, true)).isEqualTo(5);
    assertThat(SchemaHeaders.bodyOf(SchemaIds.CONFLUENT, new byte[] {5, 0, 0, 0, 1}, true))
        .isEqualTo(-1);
    assertThat(SchemaHeaders.bodyOf(SchemaIds.CONFLUENT, new byte[] {0, 0, 0, 1}, true))
        .isEqualTo(-1);
  }

  @Test
  void leavesAValueAsItIsWithoutSuchAHeader() {
    assertThat(framed("content-type", (byte) 1)).isSameAs(BODY);
    byte[] id = {0, 0, 0, 1, 2};
    assertThat(SchemaIds.CONFLUENT.framed(Map.of(SchemaHeaders.CONFLUENT, id)::get, null))
        .isNull();
  }

  @Test
  void makesAValueThatCannotBeReadOfAHeaderOfAnotherForm() {
    assertThat(List.of(
            framed(SchemaHeaders.CONFLUENT),
            framed(SchemaHeaders.CONFLUENT, new byte[] {0, 0, 0, 1}),
            framed(SchemaHeaders.CONFLUENT, new byte[] {2, 0, 0, 1, 2}),
            framed(SchemaHeaders.CONTENT_ID, eight(1L << 31)),
            framed(SchemaHeaders.CONTENT_ID, new byte[] {0, 0, 0, 1}),
            framed(SchemaHeaders.GLOBAL_ID, eight(1))))
        .allMatch(SchemaHeaders::isOfUnknownForm);
    assertThat(SchemaHeaders.isOfUnknownForm(framed(SchemaHeaders.CONTENT_ID, eight(1))))
        .isFalse();
  }

  /** What is asked for follows from the header's name, and the setting says what stands before. */
  @Test
  void tellsApicuriosTwoNumbersApart() {
    for (SchemaIds ids : List.of(SchemaIds.APICURIO_GLOBAL, SchemaIds.APICURIO_CONTENT)) {
      boolean global = ids == SchemaIds.APICURIO_GLOBAL;
      for (String header : List.of(SchemaHeaders.GLOBAL_ID, SchemaHeaders.CONTENT_ID)) {
        byte[] framed = ids.framed(Map.of(header, eight(258))::get, BODY);
        boolean own = global == header.equals(SchemaHeaders.GLOBAL_ID);
        assertThat(framed).containsExactly(own ? 0 : 5, 0, 0, 1, 2, 0, 7, 8);
        assertThat(SchemaHeaders.bodyOf(ids, framed, false)).isEqualTo(5);
        assertThat(SchemaHeaders.numberOf(ids, framed))
            .isEqualTo(
                header.equals(SchemaHeaders.GLOBAL_ID)
                    ? SchemaId.By.GLOBAL_ID
                    : SchemaId.By.CONTENT_ID);
        Map<String, byte[]> more =
            Map.of(header, eight(258), SchemaHeaders.MESSAGE, new byte[] {'M'});
        byte[] named = ids.framed(more::get, BODY);
        assertThat(named).containsExactly(own ? 4 : 6, 0, 0, 1, 2, 1, 'M', 0, 7, 8);
        assertThat(SchemaHeaders.isNamed(named)).isTrue();
        assertThat(SchemaHeaders.isByGuid(named)).isFalse();
        assertThat(SchemaHeaders.bodyOf(ids, named, false)).isEqualTo(-1);
        for (long none : new long[] {0, -1, 1L << 31}) {
          assertThat(ids.framed(Map.of(header, eight(none))::get, BODY))
              .matches(SchemaHeaders::isOfUnknownForm);
        }
      }
      byte[] confluent = {0, 0, 0, 1, 2};
      assertThat(ids.framed(Map.of(SchemaHeaders.CONFLUENT, confluent)::get, BODY))
          .matches(SchemaHeaders::isOfUnknownForm);
      assertThat(ids.framed(Map.<String, byte[]>of()::get, BODY)).isSameAs(BODY);
      assertThat(SchemaHeaders.bodyOf(ids, new byte[] {0, 0, 0, 1, 2}, false)).isEqualTo(5);
      assertThat(SchemaHeaders.bodyOf(ids, new byte[] {0, 0, 0, 0, 0, 0, 0, 1, 2, 9}, false))
          .isEqualTo(9);
      for (byte[] none : new byte[][] {
        {0, 0, 0, 1},
        {0, 0, 0, 0, 0, 0, 0, 1},
        {0, 0, 0, 0, 0, 0, 0, 0, 0},
        {0, 0, 0, 0, 0, -1, 0, 0, 0},
        {0, -1, 0, 0, 0, 0, 0, 0, 1},
        {1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
        {2, 0, 0, 0, 1, 0},
        {5, 0, 0, 0, 0, 0, 0, 0, 1},
        {7, 0, 0, 0, 1, 0}
      }) {
        assertThat(SchemaHeaders.bodyOf(ids, none, true)).isEqualTo(-1);
      }
    }
    assertThat(SchemaIds.NONE.framed(Map.of(SchemaHeaders.GLOBAL_ID, eight(1))::get, BODY))
        .isSameAs(BODY);
  }

  /** What a description of how events are read says, from which scorers know it. */
  @Test
  void findsTheIdsThatADescriptionNames() {
    assertThat(SchemaIds.namedIn("protobuf confluent apicurio-content"))
        .isEqualTo(SchemaIds.APICURIO_CONTENT);
    assertThat(SchemaIds.namedIn("avro confluent")).isEqualTo(SchemaIds.CONFLUENT);
    assertThat(SchemaIds.namedIn("")).isEqualTo(SchemaIds.CONFLUENT);
  }
}
