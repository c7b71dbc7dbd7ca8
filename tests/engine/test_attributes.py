"""Records whose fields are attributes."""

import pickle

import numpy as np
import pytest

from parlour.engine.numba.records import with_attributes

PLAIN = np.dtype([("actor", np.int64), ("hand", np.int64, (2,))])


@pytest.fixture
def records():
    return np.zeros(2, with_attributes(PLAIN))


class TestRecords:
    def test_a_value_set_by_attribute_is_in_the_array(self, records):
        records[1].actor = 3
        records[1].hand[0] = 5
        assert records["actor"].tolist() == [0, 3]
        assert records["hand"].tolist() == [[0, 0], [5, 0]]
        assert records[1].actor == 3

    def test_an_unknown_field_cannot_be_set(self, records):
        with pytest.raises(AttributeError):
            records[0].acter = 1

    def test_another_process_gets_records_of_the_same_type(self, records):
        records[0].actor = 7
        sent = pickle.loads(pickle.dumps(records))
        assert sent.dtype == records.dtype
        assert type(sent[0]) is type(records[0])
        assert sent[0].actor == 7

    @pytest.mark.parametrize("name", ["dtype", "copy", "fields"])
    def test_a_field_cannot_hide_an_attribute_of_records(self, name):
        with pytest.raises(ValueError, match=f"cannot be called '{name}'"):
            with_attributes(np.dtype([(name, np.int64)]))
